import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const exists = (...parts: string[]) => fs.existsSync(path.join(ROOT, ...parts))

/** Links to other files, relative to the document. */
const LINK = /\]\((?!https?:|#)([^)#]+)/g
/** Links to a heading of this or another document. */
const LINK_TO_HEADING = /\]\((?!https?:)([^)#]*\.md|)#([^)]+)\)/g
/** File names with a folder, as documents name code: `db/ledger/ledger.ts`. */
const NAMED_FILE =
  /`((?:client|db|docs|gateway|operators|runtime|scripts|trials|workers)\/[\w./-]+\.\w+)`/g

const inDocs = fs.readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
const documents = [
  ...fs.readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
]

it.each(documents)('%s links to files that exist', (document) => {
  const links = [...read(document).matchAll(LINK)].map(([, target = '']) => target)
  expect(links.filter((target) => !exists(path.dirname(document), target))).toEqual([])
})

/** The anchor of a heading, as GitHub makes it; headings hold no other punctuation. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (document: string) =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

it.each(documents)('%s links to headings that exist', (document) => {
  const links = [...read(document).matchAll(LINK_TO_HEADING)].filter(
    ([, target = '', anchor = '']) => {
      const file = target ? path.join(path.dirname(document), target) : document
      return exists(file) && !anchorsOf(file).includes(anchor)
    },
  )
  expect(links.map(([, target, anchor]) => `${target}#${anchor}`)).toEqual([])
})

it.each(documents)('%s names source files that exist', (document) => {
  const named = [...read(document).matchAll(NAMED_FILE)].map(([, file = '']) => file)
  expect(named.filter((file) => !exists(file))).toEqual([])
})
