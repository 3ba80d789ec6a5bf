import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CALLS } from '#operators/ops/program'
import { ROOT } from '#runtime/process/root'
import { readJson, readText } from '#scripts/testing/read-file'
import { TRIALS } from '#trials/trials'

const NOT_OURS = ['.git', '.data', 'dist', 'node_modules']
const documents = fs
  .readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !NOT_OURS.includes(name))
  .flatMap((entry) => {
    if (!entry.isDirectory()) return entry.name
    const files = fs.readdirSync(path.join(ROOT, entry.name), { recursive: true, encoding: 'utf8' })
    return files.map((file) => path.join(entry.name, file))
  })
  .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
  .map(readText)

/** What documents say after `pattern`, without what `isKnown` accepts. */
const unknown = (pattern: RegExp, isKnown: (...groups: string[]) => boolean) =>
  documents
    .flatMap((text) => [...text.matchAll(pattern)])
    .filter(([, ...groups]) => !isKnown(...groups))
    .map(([command]) => command)

it('every documented npm script exists', () => {
  const { scripts } = readJson('package.json')
  expect(
    unknown(/npm run (?:--silent )?(\w+(?:[:-]\w+)*)/g, (name = '') => name in scripts),
  ).toEqual([])
})

it('every documented trial and its options exist', () => {
  expect(unknown(/npm run trial (?!--)([\w-]+)/g, (name = '') => name in TRIALS)).toEqual([])
  const options = /npm run trial ([\w-]+) --(?= )([^`#\n]*)/g
  const isOption = (name = '', given = '') =>
    [...given.matchAll(/--([\w-]+)/g)].every(
      ([, option = '']) => option === 'help' || option in (TRIALS[name]?.options ?? {}),
    )
  expect(unknown(options, isOption)).toEqual([])
})

it('every documented command of operators exists', () => {
  const isCall = (words = '') =>
    CALLS.some(({ call }) => `${words} `.startsWith(`${call} `.replace(/ [<[{-].*/, ' ')))
  expect(unknown(/npm run ops -- ([a-z][^`#\n]*)/g, isCall)).toEqual([])
})
