import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { messageText } from '#client/language/message-text.ts'
import { messages } from '#client/language/vi/messages.ts'
import { ROOT } from '#scripts/process/root'
import { isProduct, sourceFiles } from '#scripts/testing/import-graph'
import { sentences } from './server-messages.ts'

/** Where the answers of the API are made; operators' commands and mails have texts of their own. */
const SOURCES =
  /^(db\/(ledger|members|mining|team)\/|db\/(app-info|tasks)\.ts|gateway\/(auth|contract|http|routes|security|services)\/|gateway\/(app|router)\.ts)/

/** Sentences of these files that no member's screen shows. */
const NOT_SHOWN = new Set<string>([])

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const found = sourceFiles(ROOT)
  .filter((file) => SOURCES.test(file) && isProduct(file))
  .flatMap((file) => sentences(file, read(file)).map((text) => ({ file, text })))

it('every message of the API has a Vietnamese text', () => {
  expect(found.length).toBeGreaterThan(60)
  const missing = found.filter(
    ({ text }) => !NOT_SHOWN.has(text) && messageText(messages, text) === undefined,
  )
  expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})

it('every Vietnamese text of a message belongs to a message of the API', () => {
  const texts = found.map(({ text }) => text)
  const unused = Object.keys(messages).filter(
    (key) => !texts.some((text) => messageText({ [key]: 'x' }, text) !== undefined),
  )
  expect(unused).toEqual([])
})
