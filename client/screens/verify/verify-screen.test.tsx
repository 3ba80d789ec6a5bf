import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadTexts } from '#client/language/load-texts.ts'
import { show } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { SEAL_KEYS_NAME } from '#contract/initial-data'
import { aKey, makeProof, published, ROW } from '#db/ledger/seals/testing/make-proof'
import { RECEIPT_MAX_BYTES } from '#rules/seal/parse-receipt'
import { VerifyScreen } from './verify-screen.tsx'

const key = aKey()
const proof = makeProof(key)
const RICH = ROW.replace('0.00333333', '999999.00000000')

/** The server of the product publishes its key and the seal of the day. */
const productServes = () =>
  serve({
    'GET /api/ledger/keys': json({ keys: [published(key)] }),
    'GET /api/ledger/roots': json({ seals: [proof.seal] }),
  })
const keysInPage = (content: string) => {
  document.head.innerHTML = `<meta name="${SEAL_KEYS_NAME}">`
  document.head.querySelector('meta')?.setAttribute('content', content)
}

const fileOf = (contents: unknown) =>
  new File([typeof contents === 'string' ? contents : JSON.stringify(contents)], 'receipt.json', {
    type: 'application/json',
  })
const upload = (file: File) =>
  userEvent.upload(screen.getByLabelText('Choose a proof', { selector: 'input' }), file)
const choose = (contents: unknown) => upload(fileOf(contents))
const verdict = (name: string) => screen.findByRole('heading', { name })
const outcomes = () => screen.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'))
const holding = (count: number) => Array<string>(count).fill('Holds')

beforeEach(async () => {
  await loadTexts('verify')
})
afterEach(() => {
  document.head.innerHTML = ''
  vi.unstubAllGlobals()
})

it('a valid proof is shown with its row, and only its day is sent', async () => {
  const { sent } = productServes()
  show(<VerifyScreen />)
  await choose({ receipt: proof })
  await verdict('This proof is valid')
  expect(screen.getByText('Signed by TESP Network on Nov 22, 2026')).toBeTruthy()
  expect(screen.getByText('0.00333333 TESP')).toBeTruthy()
  expect(screen.getByText('credit:7:3')).toBeTruthy()
  expect(screen.getByText('2026-11-21 05:00:00 UTC')).toBeTruthy()
  expect(outcomes()).toEqual(holding(6))
  expect(sent.map(({ url, body }) => [`${url.pathname}${url.search}`, body])).toEqual([
    ['/api/ledger/keys', undefined],
    ['/api/ledger/roots?day=2026-11-21', undefined],
  ])
})

it('a proof that is signed by a key of its author is not valid, and its amount is not shown', async () => {
  productServes()
  const { container } = show(<VerifyScreen />)
  await choose(makeProof(aKey(), { rows: [RICH] }))
  await verdict('Signed by an unknown key: not valid')
  expect(container.textContent).not.toMatch(/999999|TESP Network on|is valid/)
  expect(outcomes()).toEqual([...holding(4), 'Fails', 'Fails'])
})

it('a proof of a stolen key is not valid, because another seal was published', async () => {
  productServes()
  const { container } = show(<VerifyScreen />)
  await choose(makeProof(key, { rows: [RICH] }))
  await verdict('This proof is not valid')
  expect(container.textContent).not.toMatch(/999999|TESP Network on/)
  expect(outcomes()).toEqual([...holding(5), 'Fails'])
})

it('without a server the keys of the page tell who signed, and the row waits for the comparison', async () => {
  serve({ 'GET /api/ledger/keys': lost, 'GET /api/ledger/roots': lost })
  keysInPage(JSON.stringify([published(key)]))
  const { container } = show(<VerifyScreen />)
  await choose(proof)
  await verdict('This proof could not be compared')
  expect(screen.getByText('Signed by TESP Network on Nov 22, 2026')).toBeTruthy()
  expect(screen.getByText(/^The published seals could not be read/)).toBeTruthy()
  expect(container.textContent).not.toContain('0.00333333')
  await choose(makeProof(aKey()))
  await verdict('Signed by an unknown key: not valid')
})

it('another try compares the proof when the server answers again', async () => {
  serve({ 'GET /api/ledger/keys': lost, 'GET /api/ledger/roots': lost })
  show(<VerifyScreen />)
  await choose(proof)
  await verdict('This proof could not be checked')
  productServes()
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await verdict('This proof is valid')
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
})

it('another try keeps the focus on the page although its button has gone', async () => {
  serve({ 'GET /api/ledger/keys': lost, 'GET /api/ledger/roots': lost })
  show(<VerifyScreen />)
  await choose(proof)
  const button = await screen.findByRole('button', { name: 'Try Again' })
  productServes()
  act(() => button.focus())
  await userEvent.keyboard('{Enter}')
  const valid = await verdict('This proof is valid')
  expect(document.activeElement).not.toBe(document.body)
  expect(document.activeElement?.contains(valid)).toBe(true)
})

it('over plain HTTP, where browsers have no cryptography, a proof could not be checked', async () => {
  productServes()
  vi.stubGlobal('crypto', {})
  show(<VerifyScreen />)
  await choose(proof)
  await verdict('This proof could not be checked')
  const open = Array<string>(3).fill('Not checked')
  expect(outcomes()).toEqual(['Holds', ...open, ...holding(2)])
})

it('an entered hash is compared with the seal', async () => {
  productServes()
  show(<VerifyScreen />)
  await choose(proof)
  const field = screen.getByLabelText('Hash of the seal (optional)')
  await userEvent.type(field, ` ${proof.seal.hash.toUpperCase()}`)
  await waitFor(() => expect(outcomes()).toEqual(holding(7)))
  await userEvent.type(field, '0')
  await verdict('This proof is not valid')
})

it('a proof with another amount is not valid', async () => {
  productServes()
  show(<VerifyScreen />)
  await choose({ ...proof, row: RICH, rows: [RICH] })
  await verdict('This proof is not valid')
  expect(outcomes()).toEqual(['Holds', 'Fails', ...holding(4)])
})

it.each([
  ['no JSON', 'no JSON'],
  ['a list', '[]'],
  ['a script', { ...proof, row: '<script>alert(1)</script>' }],
])('%s is not a proof', async (_, contents) => {
  const { sent } = productServes()
  show(<VerifyScreen />)
  await choose(contents)
  await screen.findByText('This file is not a proof.')
  expect(sent).toEqual([])
})

it('a huge file is not read', async () => {
  productServes()
  show(<VerifyScreen />)
  const huge = fileOf(proof)
  Object.defineProperty(huge, 'size', { value: RECEIPT_MAX_BYTES + 1 })
  const read = vi.spyOn(huge, 'text')
  await upload(huge)
  await screen.findByText('This file is not a proof.')
  expect(read).not.toHaveBeenCalled()
})

it('a slow check of an earlier file does not replace the result of a newer one', async () => {
  productServes()
  show(<VerifyScreen />)
  const slow = fileOf('no JSON')
  let finish = (_text: string) => {}
  slow.text = () => new Promise((resolve) => (finish = resolve))
  await upload(slow)
  await choose(proof)
  await verdict('This proof is valid')
  await act(async () => finish('no JSON'))
  expect(screen.queryByText('This file is not a proof.')).toBeNull()
  expect(screen.getByRole('heading', { name: 'This proof is valid' })).toBeTruthy()
})
