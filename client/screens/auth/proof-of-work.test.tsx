import { cleanup, screen, waitFor } from '@testing-library/react'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { beforeEach, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { type Handlers, json } from '#client/testing/server.ts'
import { isEnabled, openRegister } from './testing/register-page.tsx'

type Solved = { counter: number; derivedKey: string } | null

/** Workers of the page; each computes until the test answers for it. */
class FakeWorker {
  static all: FakeWorker[] = []
  onmessage?: (event: { data: Solved }) => void
  onerror?: (event: unknown) => void
  isTerminated = false
  constructor() {
    FakeWorker.all.push(this)
  }
  postMessage() {}
  terminate() {
    this.isTerminated = true
  }
}

beforeEach(() => {
  vi.unstubAllGlobals()
  FakeWorker.all = []
  vi.stubGlobal('Worker', FakeWorker)
})

const PROVING = /Your browser calculates/

/** The server wants a proof of work with each code. */
async function costly(): Promise<Handlers> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 5,
    deriveKey,
  })
  return {
    'POST /api/verify/send-otp': ({ body }) =>
      (body as { proof?: string }).proof
        ? json({ ok: true, message: '' })
        : new Response(JSON.stringify({ code: 'proof_required', message: '', challenge }), {
            status: 428,
          }),
  }
}

async function askForCode() {
  const page = await openRegister(await costly())
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.button('Send OTP'))
  return page
}

type Page = Awaited<ReturnType<typeof askForCode>>

const proofsOf = ({ requests }: Page) =>
  requests.flatMap(({ body }) => (body as { proof?: string } | undefined)?.proof ?? [])

const startedWorker = async (nth: number) => {
  await waitFor(() => expect(FakeWorker.all).toHaveLength(nth))
  return FakeWorker.all[nth - 1] as FakeWorker
}

it('the solution of the worker is sent, and the worker ends', async () => {
  const page = await askForCode()
  const worker = await startedWorker(1)
  expect(screen.getByText(PROVING)).toBeTruthy()
  worker.onmessage?.({ data: { counter: 5, derivedKey: 'ab' } })
  await findToast('OTP code has been sent to your email')
  expect(proofsOf(page).map((proof) => JSON.parse(proof).solution.counter)).toEqual([5])
  expect(worker.isTerminated).toBe(true)
})

it('leaving the page, but not the tab, ends the computation', async () => {
  const page = await askForCode()
  const worker = await startedWorker(1)
  await page.user.click(screen.getByRole('tab', { name: 'Login' }))
  expect(worker.isTerminated).toBe(false)
  cleanup()
  expect(worker.isTerminated).toBe(true)
  expect(proofsOf(page)).toEqual([])
})

it('another address ends the computation and can request its own code', async () => {
  const page = await askForCode()
  const worker = await startedWorker(1)
  await page.user.type(page.field('Email'), 'x')
  expect(worker.isTerminated).toBe(true)
  await isEnabled(page, 'Send OTP')
  expect(screen.queryByText(PROVING)).toBeNull()
  await page.user.click(page.button('Send OTP'))
  const second = await startedWorker(2)
  second.onmessage?.({ data: { counter: 7, derivedKey: 'ab' } })
  await findToast('OTP code has been sent to your email')
  expect(proofsOf(page).map((proof) => JSON.parse(proof).solution.counter)).toEqual([7])
})

it('the page computes the proof if the worker does not load', async () => {
  const page = await askForCode()
  const worker = await startedWorker(1)
  worker.onerror?.(new Event('error'))
  await findToast('OTP code has been sent to your email')
  expect(proofsOf(page).map((proof) => JSON.parse(proof).solution.counter)).toEqual([5])
})

it('the page computes the proof in a browser without workers', async () => {
  vi.stubGlobal('Worker', undefined)
  const page = await askForCode()
  await findToast('OTP code has been sent to your email')
  expect(proofsOf(page)).toHaveLength(1)
})

it('a browser that cannot compute the proof says so', async () => {
  const page = await askForCode()
  const worker = await startedWorker(1)
  worker.onmessage?.({ data: null })
  await findToast(/Your browser cannot do the calculation/)
  expect(proofsOf(page)).toEqual([])
  await isEnabled(page, 'Send OTP')
})
