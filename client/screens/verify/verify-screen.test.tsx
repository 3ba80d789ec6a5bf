import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { loadTexts } from '#client/language/load-texts.ts'
import { show } from '#client/testing/render.tsx'
import { serve } from '#client/testing/server.ts'
import type { Receipt } from '#rules/seal/receipt'
import { FIRST_PREVIOUS, sealText } from '#rules/seal/seal'
import { VerifyScreen } from './verify-screen.tsx'

const ROW = 'credit:7:3|5|mining_reward|TESP|0.00333333|0.01000000|2026-11-21 05:00:00|91'
const SALT = '11'.repeat(32)

const bytes = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

async function sha256(...parts: Uint8Array[]): Promise<string> {
  const joined = Uint8Array.from(parts.flatMap((part) => [...part]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', joined))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A receipt of a day on which one member posted one row; its seal is signed. */
async function aReceipt(): Promise<Receipt> {
  const text = (value: string) => new TextEncoder().encode(value)
  const content = bytes(await sha256(text(ROW)))
  const unsigned = {
    number: 1,
    day: '2026-11-21',
    reason: 'day' as const,
    rows: 1,
    members: 1,
    root: await sha256(Uint8Array.of(0), bytes(SALT), content),
    previous: FIRST_PREVIOUS,
    sealedAt: '2026-11-22T00:01:00.000Z',
  }
  const pair = (await crypto.subtle.generateKey({ name: 'Ed25519' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const signed = await crypto.subtle.sign('Ed25519', pair.privateKey, text(sealText(unsigned)))
  const publicKey = await crypto.subtle.exportKey('raw', pair.publicKey)
  const base64 = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  const seal = {
    ...unsigned,
    hash: await sha256(text(sealText(unsigned))),
    signature: base64(signed),
    publicKey: base64(publicKey),
  }
  return { format: 'tesp-receipt-1', row: ROW, rows: [ROW], salt: SALT, index: 0, path: [], seal }
}

const fileOf = (json: unknown) =>
  new File([typeof json === 'string' ? json : JSON.stringify(json)], 'receipt.json', {
    type: 'application/json',
  })
const upload = (file: File) =>
  userEvent.upload(screen.getByLabelText('Choose a proof', { selector: 'input' }), file)
const choose = (json: unknown) => upload(fileOf(json))
const outcomes = () => screen.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'))

beforeEach(async () => {
  await loadTexts('verify')
})

it('a valid proof is shown with its row, and nothing is sent', async () => {
  const { sent } = serve({})
  show(<VerifyScreen />)
  await choose({ receipt: await aReceipt() })
  await screen.findByRole('heading', { name: 'This proof is valid' })
  expect(screen.getByText('0.00333333 TESP')).toBeTruthy()
  expect(screen.getByText('credit:7:3')).toBeTruthy()
  expect(screen.getByText('2026-11-21 05:00:00 UTC')).toBeTruthy()
  expect(outcomes()).toEqual(['Holds', 'Holds', 'Holds', 'Holds', 'Not checked'])
  expect(sent).toEqual([])
})

it('a trusted hash is compared with the seal', async () => {
  serve({})
  show(<VerifyScreen />)
  const receipt = await aReceipt()
  await choose(receipt)
  const field = screen.getByLabelText('Hash of the seal (optional)')
  await userEvent.type(field, ` ${receipt.seal.hash.toUpperCase()}`)
  await expect.poll(outcomes).toEqual(['Holds', 'Holds', 'Holds', 'Holds', 'Holds'])
  await userEvent.type(field, '0')
  await screen.findByRole('heading', { name: 'This proof is not valid' })
})

it('a proof with another amount is not valid', async () => {
  serve({})
  show(<VerifyScreen />)
  const row = ROW.replace('0.00333333', '9.00333333')
  await choose({ ...(await aReceipt()), row, rows: [row] })
  await screen.findByRole('heading', { name: 'This proof is not valid' })
  expect(outcomes()).toEqual(['Holds', 'Fails', 'Holds', 'Holds', 'Not checked'])
})

it.each(['no JSON', 'null', '{"receipt":null}', '[]'])('%s is not a proof', async (text) => {
  serve({})
  show(<VerifyScreen />)
  await choose(text)
  await screen.findByText('This file is not a proof.')
})

it('a slow check of an earlier file does not replace the result of a newer one', async () => {
  serve({})
  show(<VerifyScreen />)
  const slow = fileOf('no JSON')
  let finish = (_text: string) => {}
  slow.text = () => new Promise((resolve) => (finish = resolve))
  await upload(slow)
  await choose(await aReceipt())
  await screen.findByRole('heading', { name: 'This proof is valid' })
  await act(async () => finish('no JSON'))
  expect(screen.queryByText('This file is not a proof.')).toBeNull()
  expect(screen.getByRole('heading', { name: 'This proof is valid' })).toBeTruthy()
})
