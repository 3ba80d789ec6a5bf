import fs from 'node:fs'
import { parseReceipt, RECEIPT_MAX_BYTES } from '#rules/seal/parse-receipt'
import type { Seal } from '#rules/seal/seal'
import {
  type ReceiptChecks,
  type Verdict,
  verdictOf,
  verifyReceipt,
} from '#rules/seal/verify-receipt'
import { OperatorError } from '#runtime/operator-error'

/** The message of the cause: `fetch failed` says nothing. */
const reasonOf = (error: unknown): unknown =>
  error instanceof Error ? (error.cause ? reasonOf(error.cause) : error.message) : error

const unreadable = (source: string, error: unknown) =>
  new OperatorError(`${source} could not be read: ${reasonOf(error)}`)

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
    throw unreadable(file, error)
  }
}

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

/** Seals from a source that the caller trusts, a file or an address, and a public key in base64. */
type Trust = { roots?: string; key?: string }

/**
 * Prints each check of the receipt in a file.
 * @returns whether a trusted key signed it and no check fails
 * @throws {OperatorError} if it cannot be checked
 */
export async function verifyFile(file: string, { roots, key }: Trust): Promise<boolean> {
  if (key !== undefined && !/^[A-Za-z0-9+/]{43}=$/.test(key))
    throw new OperatorError('--key is not a public key: 32 bytes in base64, 44 characters.')
  const receipt = parseReceipt(readProof(file))
  if (!receipt) {
    console.error(`${file} is not a receipt.`)
    return false
  }
  const { number, day } = receipt.seal
  const seals =
    roots === undefined
      ? undefined
      : await readRoots(roots, number).catch((error) => {
          throw unreadable(roots, error)
        })
  const trustedKey = key ?? seals?.find((seal) => seal.number === number)?.publicKey
  const checks = await verifyReceipt(receipt, {
    keys: trustedKey
      ? [{ publicKey: trustedKey, from: 1, to: null, since: '', until: null }]
      : seals && [],
    seals,
  })
  const verdict = verdictOf(checks)
  for (const [check, text] of Object.entries(TEXTS)) {
    const holds = checks[check as keyof ReceiptChecks]
    const outcome = holds === null ? 'not checked' : holds ? 'holds' : 'FAILS'
    console.log(`${outcome.padEnd(13)}${text}`)
  }
  console.log(`\nseal         ${number} of ${day}`)
  const isGood = verdict === 'valid' || verdict === 'signed'
  if (isGood) console.log(`row          ${receipt.row}`)
  console.log(VERDICTS[verdict])
  return isGood
}
