import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readReceipt } from '#db/ledger/seals/receipts'
import { readSeals, sealKey, signSeals } from '#db/ledger/seals/seal-chain'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { aKey, makeProof } from '#db/ledger/seals/testing/make-proof'
import { RECEIPT_MAX_BYTES } from '#rules/seal/parse-receipt'
import type { Receipt } from '#rules/seal/receipt'
import type { Seal } from '#rules/seal/seal'
import { ROOT } from '#runtime/process/root'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'

let fresh: FreshDatabase
let receipt: Receipt
let seals: Seal[]
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-verify-'))
const file = (name: string) => path.join(folder, name)
const write = (name: string, json: unknown) => fs.writeFileSync(file(name), JSON.stringify(json))

beforeAll(async () => {
  fresh = await freshDatabase()
  const { members } = await seedOldDays(fresh.db)
  await sealLedger(fresh.db)
  await signSeals(fresh.db, sealKey(randomBytes(32)))
  const [userId = 0] = members
  const { id } = await fresh.db('wallet_activity').where({ userId }).first('id')
  const found = await readReceipt(fresh.db, userId, id)
  if (!found) throw new Error('there is no receipt')
  receipt = found
  seals = await readSeals(fresh.db, 0)
  write('receipt.json', { receipt })
  write('roots.json', { seals })
})
afterAll(async () => {
  fs.rmSync(folder, { recursive: true })
  await fresh.close()
})

/** Runs the command; resolves to its exit code and output. */
function verify(...args: string[]): Promise<{ code: number; output: string }> {
  const argv = ['--import', 'tsx', 'operators/commands/verify.ts', ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
    })
  })
}

const key = () => receipt.seal.publicKey ?? ''
const roots = ['--roots', file('roots.json')]

it.each([
  ['saved roots and a trusted key', () => [...roots, '--key', key()], 'valid: signed'],
  ['saved roots', () => roots, 'valid: signed'],
  ['a trusted key, offline', () => ['--key', key()], 'signed by the trusted key; give --roots'],
])('a receipt is verified with %s', async (_, args, verdict) => {
  const { code, output } = await verify(file('receipt.json'), ...args())
  expect(output).not.toContain('FAILS')
  expect(output).toContain(verdict)
  expect(output).toContain(receipt.row)
  expect(code).toBe(0)
})

it('the key in the file is not trusted', async () => {
  const { code, output } = await verify(file('receipt.json'))
  expect(output).toContain('not checked: give --key or --roots')
  expect(output).not.toContain(receipt.row)
  expect(code).toBe(1)
})

it.each([
  ['the trusted key', () => ['--key', key()]],
  ['saved roots', () => roots],
  ['both', () => [...roots, '--key', key()]],
])('a proof of a key of its author is not valid with %s', async (_, args) => {
  write('forged.json', makeProof(aKey(), { seal: { number: receipt.seal.number } }))
  const { code, output } = await verify(file('forged.json'), ...args())
  expect(output).toContain('NOT VALID: signed by an unknown key')
  expect(output).not.toContain('row          ')
  expect(code).toBe(1)
})

it('a seal that was never published, and another key, fail', async () => {
  write('other.json', { seals: seals.filter(({ number }) => number !== receipt.seal.number) })
  const key = randomBytes(32).toString('base64')
  const { code, output } = await verify(
    file('receipt.json'),
    '--roots',
    file('other.json'),
    '--key',
    key,
  )
  expect(output.match(/^FAILS .*/gm)).toHaveLength(2)
  expect(code).toBe(1)
})

it('a file that is too large, or is no receipt, is refused', async () => {
  fs.writeFileSync(file('huge.json'), JSON.stringify(receipt) + ' '.repeat(RECEIPT_MAX_BYTES))
  write('list.json', [])
  for (const name of ['huge.json', 'list.json']) {
    const { code, output } = await verify(file(name), ...roots)
    expect(output).toContain('is not a receipt')
    expect(code).toBe(1)
  }
})

it.each([
  [
    'a receipt that does not exist',
    () => [file('none.json'), ...roots],
    'none.json could not be read',
  ],
  ['a folder', () => [folder, ...roots], 'could not be read'],
  ['seals that do not exist', () => ['--roots', file('none.json')], 'none.json could not be read'],
  [
    'a file without seals',
    () => ['--roots', file('receipt.json'), '--key', key()],
    'no list `seals`',
  ],
  ['an address that nobody answers', () => ['--roots', 'http://127.0.0.1:9/'], 'could not be read'],
  ['a key that is none', () => ['--key', 'abc'], '--key is not a public key'],
])('%s is named in one line, and nothing is called valid or not', async (_, args, words) => {
  const given = args()
  const { code, output } = await verify(
    ...(given[0]?.startsWith('--') ? [file('receipt.json')] : []),
    ...given,
  )
  expect(output).toContain(words)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(output).not.toContain('alid')
  expect(code).toBe(2)
})

it('without a file the usage is printed', async () => {
  const { code, output } = await verify()
  expect(output).toContain('npm run verify -- <receipt.json>')
  expect(code).toBe(2)
})
