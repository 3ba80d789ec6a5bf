import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { aKey, makeProof } from '#db/ledger/seals/testing/make-proof'
import { RECEIPT_MAX_BYTES } from '#rules/seal/parse-receipt'
import { OperatorError } from '#runtime/operator-error'
import { ROOT } from '#runtime/process/root'
import { verifyFile } from './verify-file.ts'

type Trust = Parameters<typeof verifyFile>[1]

const receipt = makeProof(aKey())
const key = receipt.seal.publicKey ?? ''
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-verify-'))
const file = (name: string) => path.join(folder, name)
const write = (name: string, json: unknown) => fs.writeFileSync(file(name), JSON.stringify(json))
const roots = file('roots.json')

beforeAll(() => {
  write('receipt.json', { receipt })
  write('roots.json', { seals: [receipt.seal] })
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** Whether the file holds, or why it could not be checked, and what was printed. */
async function verify(name: string, trust: Trust) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(print),
    vi.spyOn(console, 'error').mockImplementation(print),
  ]
  const outcome = await verifyFile(name, trust).catch((error: unknown) => error)
  for (const spy of spies) spy.mockRestore()
  return { outcome, output: lines.join('\n') }
}

it.each<[string, Trust, string]>([
  ['saved roots and a trusted key', { roots, key }, 'valid: signed'],
  ['saved roots', { roots }, 'valid: signed'],
  ['a trusted key, offline', { key }, 'signed by the trusted key; give --roots'],
])('a receipt is verified with %s', async (_, trust, verdict) => {
  const { outcome, output } = await verify(file('receipt.json'), trust)
  expect(output).not.toContain('FAILS')
  expect(output).toContain(verdict)
  expect(output).toContain(receipt.row)
  expect(outcome).toBe(true)
})

it('the key in the file is not trusted', async () => {
  const { outcome, output } = await verify(file('receipt.json'), {})
  expect(output).toContain('not checked: give --key or --roots')
  expect(output).not.toContain(receipt.row)
  expect(outcome).toBe(false)
})

it.each<[string, Trust]>([
  ['the trusted key', { key }],
  ['saved roots', { roots }],
  ['both', { roots, key }],
])('a proof of a key of its author is not valid with %s', async (_, trust) => {
  write('forged.json', makeProof(aKey()))
  const { outcome, output } = await verify(file('forged.json'), trust)
  expect(output).toContain('NOT VALID: signed by an unknown key')
  expect(output).not.toContain('row          ')
  expect(outcome).toBe(false)
})

it('a seal that was never published, and another key, fail', async () => {
  write('other.json', { seals: [makeProof(aKey(), { seal: { number: 2 } }).seal] })
  const { outcome, output } = await verify(file('receipt.json'), {
    roots: file('other.json'),
    key: randomBytes(32).toString('base64'),
  })
  expect(output.match(/^FAILS .*/gm)).toHaveLength(2)
  expect(outcome).toBe(false)
})

it('a file that is too large, or is no receipt, is refused', async () => {
  fs.writeFileSync(file('huge.json'), JSON.stringify(receipt) + ' '.repeat(RECEIPT_MAX_BYTES))
  write('list.json', [])
  for (const name of ['huge.json', 'list.json']) {
    const { outcome, output } = await verify(file(name), { roots })
    expect(output).toContain('is not a receipt')
    expect(outcome).toBe(false)
  }
})

const NONE = file('none.json')

it.each<[string, string, Trust, string]>([
  ['a receipt that does not exist', NONE, { roots }, 'none.json could not be read'],
  ['a folder', folder, { roots }, 'could not be read'],
  ['seals that do not exist', file('receipt.json'), { roots: NONE }, 'none.json could not be read'],
  [
    'a file without seals',
    file('receipt.json'),
    { roots: file('receipt.json'), key },
    'no list `seals`',
  ],
  [
    'an address that nobody answers',
    file('receipt.json'),
    { roots: 'http://127.0.0.1:9/' },
    'could not be read',
  ],
  ['a key that is none', file('receipt.json'), { key: 'abc' }, '--key is not a public key'],
])('%s is named in one line, and nothing is called valid or not', async (_, name, trust, words) => {
  const { outcome, output } = await verify(name, trust)
  expect(output).toBe('')
  expect(outcome).toBeInstanceOf(OperatorError)
  const { message } = outcome as OperatorError
  expect(message).toContain(words)
  expect(message.trim().split('\n')).toHaveLength(1)
  expect(message).not.toContain('alid')
})

it.each([
  ['a receipt that holds', 0, ['--roots', roots, '--key', key], 'valid: signed'],
  ['a receipt without a trusted key', 1, [], 'not checked: give --key or --roots'],
  ['seals that do not exist', 2, ['--roots', NONE], 'none.json could not be read'],
])('npm run verify ends for %s with %i', (_, code, options, words) => {
  const argv = ['--import', 'tsx', 'operators/commands/verify.ts', file('receipt.json'), ...options]
  const run = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' })
  expect(run.stdout + run.stderr).toContain(words)
  expect(run.status).toBe(code)
})

it('npm run verify without a file prints the usage', () => {
  const argv = ['--import', 'tsx', 'operators/commands/verify.ts']
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' })
  expect(stderr).toContain('npm run verify -- <receipt.json>')
  expect(status).toBe(2)
})
