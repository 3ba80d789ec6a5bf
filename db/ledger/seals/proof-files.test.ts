import { expect, it } from 'vitest'
import { parseReceipt } from '#rules/seal/parse-receipt'
import type { Seal } from '#rules/seal/seal'
import { aKey, makeProof, ROW } from './testing/make-proof.ts'

const proof = makeProof(aKey())
const json = JSON.stringify(proof)
const of = (change: object) => JSON.stringify({ ...proof, ...change })
const ofSeal = (change: { [Field in keyof Seal]?: unknown }) =>
  of({ seal: { ...proof.seal, ...change } })
const ofRow = (row: string) => of({ row, rows: [row] })
const amount = (text: string) => ofRow(ROW.replace('0.00333333', text))

it.each([
  ['in one line', json],
  ['as the page saves it', JSON.stringify(proof, null, 2)],
  ['in the answer of the server', JSON.stringify({ receipt: proof })],
  ['with a negative amount', amount('-12.50000000')],
  ['with a fraction of a second', ofRow(ROW.replace('05:00:00', '05:00:00.12'))],
  ['of an unsigned seal', ofSeal({ signature: null, publicKey: null })],
])('a receipt %s is read', (_, text) => {
  expect(parseReceipt(text)).toMatchObject({ format: 'tesp-receipt-1', salt: proof.salt })
})

it.each([
  ['no JSON', 'no JSON'],
  ['null', 'null'],
  ['a list', '[]'],
  ['an empty answer', '{"receipt":null}'],
  ['a receipt in a receipt', JSON.stringify({ receipt: { receipt: proof } })],
  ['a key twice', json.replace('"index":', '"index":0,"index":')],
  ['a key twice in the seal', json.replace('"day":', '"day":"2026-11-20","day":')],
  [
    'a key twice, once written differently',
    json.replace('"day":', '"d\\u0061y":"2026-11-20","day":'),
  ],
  ['a receipt twice', `{"receipt":${of({ index: 1 })},"receipt":${json}}`],
  ['a prototype', json.replace('{', '{"__proto__":{"index":0},')],
  ['an unknown field', of({ note: 'valid' })],
  ['a missing field', of({ salt: undefined })],
  ['another format', of({ format: 'tesp-receipt-2' })],
  [
    'a number written differently',
    json.replace(`"index":${proof.index}`, `"index":${proof.index}.0`),
  ],
  ['an index as text', of({ index: '2' })],
  ['a negative index', of({ index: -1 })],
  ['rows as text', of({ rows: ROW })],
  ['a row that is no text', of({ rows: [7] })],
  ['a row with a line feed', ofRow(`${ROW}\n${ROW}`)],
  ['a row with another field', ofRow(`${ROW}|1`)],
  ['a row of an unknown fact', ofRow(ROW.replace('credit:7:3', 'gift:7'))],
  ['a script in a row', ofRow(ROW.replace('credit:7:3', '<script>alert(1)</script>'))],
  ['a script for a token', ofRow(ROW.replace('TESP', '<img src=x onerror=alert(1)>'))],
  ['a sign that reverses a row', ofRow(ROW.replace('credit', '\u202ecredit'))],
  ['an amount with leading zeros', amount('00.00333333')],
  ['an amount with fewer digits', amount('0.0033')],
  ['an amount with an exponent', amount('1e9')],
  ['an amount with a plus sign', amount('+0.00333333')],
  ['an amount with separators', amount('999,999.00000000')],
  ['an amount of zero', amount('0.00000000')],
  ['a negative zero', amount('-0.00000000')],
  ['an amount in other digits', amount('٩.00333333')],
  ['an amount that is too large', amount('9999999999999.00000000')],
  ['a salt of another length', of({ salt: '11' })],
  ['a path of other texts', of({ path: ['x'] })],
  ['a path in capitals', of({ path: proof.path.map((hash) => hash.toUpperCase()) })],
  ['a path longer than any tree', of({ path: Array(32).fill('0'.repeat(64)) })],
  ['a seal that is none', of({ seal: null })],
  ['a seal without a number', ofSeal({ number: '1' })],
  ['a seal with two fields in one', ofSeal({ number: '1\n2026-11-21', day: 'day' })],
  ['another reason', ofSeal({ reason: '<b>day</b>' })],
  ['a time written differently', ofSeal({ sealedAt: '2026-11-22' })],
  ['a signature that is no text', ofSeal({ signature: ['a'] })],
  ['a key of another length', ofSeal({ publicKey: 'AAAA' })],
])('%s is no receipt', (_, text) => {
  expect(parseReceipt(text)).toBeUndefined()
})
