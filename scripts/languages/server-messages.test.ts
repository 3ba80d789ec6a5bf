import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { messageText } from '#client/language/messages/message-text.ts'
import { messages } from '#client/language/messages/vi.ts'
import { ROOT } from '#runtime/process/root'
import { isProduct, sourceFiles } from '#scripts/testing/import-graph'
import { sentences } from './server-messages.ts'

/** Where the answers of the API are made; operators' commands and mails have texts of their own. */
const SOURCES =
  /^(db\/(ledger|members|mining|team)\/|db\/(app-info|tasks)\.ts|gateway\/(auth|contract|http|routes|security|services)\/|gateway\/(app|router)\.ts)/

/** Answers to requests that no screen sends, and texts for operators. */
const NOT_SHOWN = new Set([
  'Idempotency-Key is not usable',
  'Idempotency-Key was used before',
  'The client has disconnected',
  'The cursor is not valid',
  'Method not allowed',
  'Send JSON',
  'Choose on or off',
  'Send a cursor and a time',
  'Send a JSON object',
  'Send nothing but 7',
  'Send the document as a multipart form',
  'The headers are too large',
  'The request took too long',
  'The request is nested too deeply',
  'The request is not valid JSON',
  'The request is not valid UTF-8',
  'The request contains characters that are not allowed',
  'The request contains names that are not allowed',
  'Nothing can be expected here',
  'Nothing to upgrade to here',
  'Samsung Internet',
  'Session 7 is not quarantined',
  'The reason must have 1 to 7 characters; the member reads it',
  'The document was deleted on 7',
  'There is no such document to decide about',
])

/** Made in SQL, which is not read here: `db/ledger/credit-sql.ts`. */
const FROM_SQL = ['7 automatic mining credits']

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
  const texts = [...FROM_SQL, ...found.map(({ text }) => text)]
  const unused = Object.keys(messages).filter(
    (key) => !texts.some((text) => messageText({ [key]: 'x' }, text) !== undefined),
  )
  expect(unused).toEqual([])
})
