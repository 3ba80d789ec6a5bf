import fs from 'node:fs'
import { parseReceipt, RECEIPT_MAX_BYTES } from '#rules/seal/parse-receipt'
import type { Seal } from '#rules/seal/seal'
import {
  type ReceiptChecks,
  type Verdict,
  verdictOf,
  verifyReceipt,
} from '#rules/seal/verify-receipt'
import { readArguments } from '#runtime/process/read-arguments'

const CALL = 'npm run verify -- <receipt.json> [--roots <file or address>] [--key <public key>]'

const USAGE = `${CALL}

Checks that the row of a receipt is in the sealed ledger. The key in the file is not trusted, because
anybody can make one: give a key, seals or both. Without --roots nothing needs a network.

  --roots  seals from a source that you trust: a file that was saved from /api/ledger/roots, or its address
  --key    the public key that you trust, 32 bytes in base64; /api/ledger/keys lists those of a server.
           Without it, it is that of the seal in --roots.

Ends with 0 if the receipt is signed by that key and no check fails, with 1 if it is not, and with 2 if
it could not be checked.`

const { values, positionals } = readArguments(CALL, {
  allowPositionals: true,
  options: { roots: { type: 'string' }, key: { type: 'string' } },
})
const [file] = positionals

/** The message of the cause: `fetch failed` says nothing. */
const reasonOf = (error: unknown): unknown =>
  error instanceof Error ? (error.cause ? reasonOf(error.cause) : error.message) : error

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}

if (!file) stop(USAGE)
if (values.key !== undefined && !/^[A-Za-z0-9+/]{43}=$/.test(values.key))
  stop('--key is not a public key: 32 bytes in base64, 44 characters.')

async function readRoots(source: string, number: number): Promise<Seal[]> {
  let answer: { seals?: Seal[] }
  if (/^https?:/.test(source)) {
    const url = new URL(source)
    if (number > 1) url.searchParams.set('after', String(number - 1))
    const response = await fetch(url)
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    answer = (await response.json()) as typeof answer
  } else answer = JSON.parse(fs.readFileSync(source, 'utf8'))
  // Without seals nothing would be compared.
  if (!Array.isArray(answer?.seals)) throw new Error('it has no list `seals`')
  return answer.seals
}

function readProof(file: string): string {
  try {
    return fs.statSync(file).size > RECEIPT_MAX_BYTES ? '' : fs.readFileSync(file, 'utf8')
  } catch (error) {
    stop(`${file} could not be read: ${reasonOf(error)}`)
  }
}

const receipt = parseReceipt(readProof(file))
if (!receipt) {
  console.error(`${file} is not a receipt.`)
  process.exit(1)
}
const { number, day } = receipt.seal
const seals =
  values.roots === undefined
    ? undefined
    : await readRoots(values.roots, number).catch((error) =>
        stop(`${values.roots} could not be read: ${reasonOf(error)}`),
      )
const trustedKey = values.key ?? seals?.find((seal) => seal.number === number)?.publicKey
const checks = await verifyReceipt(receipt, {
  keys: trustedKey
    ? [{ publicKey: trustedKey, from: 1, to: null, since: '', until: null }]
    : seals && [],
  seals,
})
const verdict = verdictOf(checks)

const TEXTS: Record<Exclude<keyof ReceiptChecks, 'entered'>, string> = {
  row: 'the row is one of the rows of the day',
  root: 'the rows lead to the root of the seal',
  hash: 'the hash of the seal is that of its fields',
  signature: 'the signature fits the seal',
  key: 'the key is the trusted one',
  published: 'the seal is the published one',
}
const VERDICTS: Record<Verdict, string> = {
  valid: 'valid: signed by the trusted key, and published',
  signed: 'signed by the trusted key; give --roots to compare the seal with the published ones',
  unchecked: 'not checked: give --key or --roots, because anybody can make a key',
  unknownKey: 'NOT VALID: signed by an unknown key',
  invalid: 'NOT VALID',
}
for (const [check, text] of Object.entries(TEXTS)) {
  const holds = checks[check as keyof ReceiptChecks]
  const outcome = holds === null ? 'not checked' : holds ? 'holds' : 'FAILS'
  console.log(`${outcome.padEnd(13)}${text}`)
}
console.log(`\nseal         ${number} of ${day}`)
const isGood = verdict === 'valid' || verdict === 'signed'
if (isGood) console.log(`row          ${receipt.row}`)
console.log(VERDICTS[verdict])
process.exit(isGood ? 0 : 1)
