import fs from 'node:fs'
import type { Receipt } from '#rules/seal/receipt'
import type { Seal } from '#rules/seal/seal'
import { type ReceiptChecks, verifyReceipt } from '#rules/seal/verify-receipt'
import { readArguments } from '#runtime/process/read-arguments'

const CALL = 'npm run verify -- <receipt.json> [--roots <file or address>] [--key <public key>]'

const USAGE = `${CALL}

Checks that the row of a receipt is in the sealed ledger. Nothing is asked from the server that issued
the receipt, except for the roots, if their address is given.

  --roots  seals from a source that you trust: a file that was saved from /api/ledger/roots, or its address
  --key    the public key that you trust, 32 bytes in base64`

const { values, positionals } = readArguments(CALL, {
  allowPositionals: true,
  options: { roots: { type: 'string' }, key: { type: 'string' } },
})
const [file] = positionals
if (!file) {
  console.error(USAGE)
  process.exit(2)
}

async function readRoots(source: string, number: number): Promise<Seal[]> {
  if (!/^https?:/.test(source)) return JSON.parse(fs.readFileSync(source, 'utf8')).seals
  const url = new URL(source)
  if (number > 1) url.searchParams.set('after', String(number - 1))
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}`)
  const { seals } = (await answer.json()) as { seals: Seal[] }
  return seals
}

const parsed: Receipt | { receipt: Receipt } = JSON.parse(fs.readFileSync(file, 'utf8'))
const receipt = 'receipt' in parsed ? parsed.receipt : parsed
const { number, day, publicKey } = receipt.seal
const roots = values.roots ? await readRoots(values.roots, number) : []
const hash = values.roots && (roots.find((seal) => seal.number === number)?.hash ?? 'missing')
const checks = await verifyReceipt(receipt, {
  ...(hash && { hash }),
  ...(values.key && { publicKey: values.key }),
})

const TEXTS: Record<keyof ReceiptChecks, string> = {
  row: 'the row is one of the rows of the day',
  root: 'the rows lead to the root of the seal',
  hash: 'the hash of the seal is that of its fields',
  signature: 'the seal is signed',
  published: 'the seal is the published one',
}
console.log(`row          ${receipt.row}`)
console.log(`seal         ${number} of ${day}, public key ${publicKey ?? 'none'}`)
for (const [check, holds] of Object.entries(checks)) {
  const outcome = holds === null ? 'not checked' : holds ? 'holds' : 'FAILS'
  console.log(`${outcome.padEnd(13)}${TEXTS[check as keyof ReceiptChecks]}`)
}
if (!values.roots) console.log('\nGive --roots to compare the seal with the published ones.')
process.exit(Object.values(checks).includes(false) ? 1 : 0)
