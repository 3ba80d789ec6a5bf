import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandNotes } from '#client/commands/command-notes.tsx'
import { receiveSnapshot } from '#client/data/member-data.ts'
import {
  isShown,
  keysOf,
  pass,
  passUntilShown,
  retryingButton,
  unavailable,
} from '#client/screens/testing/retrying.ts'
import { anActiveStatus, anIdleStatus } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import type { MiningStatus } from '#rules/snapshots'
import { MineScreen } from './mine-screen.tsx'

const later = (status: MiningStatus) => ({ ...status, asOf: status.asOf + 1_000 })
const claimable = anIdleStatus({
  pendingRewards: '0.50000000',
  hasPendingRewards: true,
  canClaim: true,
})

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  clearToast()
  startAs()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(status: MiningStatus) {
  receiveSnapshot('/api/mining/status', status)
  show(
    <>
      <CommandNotes />
      <MineScreen />
    </>,
  )
  await pass(10)
}

describe.each([
  ['POST /api/mining/start', /start mining/i, anIdleStatus(), later(anActiveStatus())],
  ['POST /api/mining/stop', /stop mining/i, anActiveStatus(), later(anIdleStatus())],
] as const)('%s', (route, name, before, after) => {
  it.each([408, 502, 503, 504])(`${route} is sent again with its key after %i`, async (status) => {
    const answers = [new Response('<h1>Bad gateway</h1>', { status })]
    const server = serve({ [route]: () => answers.pop() ?? json(after) })
    await open(before)
    fireEvent.click(screen.getByRole('button', { name }))
    await pass(500)
    expect(retryingButton()).toHaveProperty('disabled', true)
    await pass(2_000)
    const badge = after.active ? 'Mining Active' : 'Mining Inactive'
    expect(screen.getByText(badge)).toBeTruthy()
    expect(isShown(/^Failed to/)).toBe(false)
    const keys = keysOf(server, route)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })
})

describe('claim answered with 503', () => {
  const button = () => screen.getByRole('button', { name: /claim rewards/i })

  it('a claim answered with 503 reads Retrying… until it succeeds', async () => {
    const answers = [unavailable()]
    const claimed = { claimedTesp: '0.50000000', claimedUsdt: '0.00000000' }
    serve({ 'POST /api/mining/claim': () => answers.pop() ?? json(claimed) })
    await open(claimable)
    fireEvent.click(button())
    await pass(500)
    expect(within(button()).getByText('Retrying…').className).not.toContain('invisible')
    await pass(1_500)
    expect(isShown('Rewards Claimed Successfully')).toBe(true)
  })

  it('a claim answered with 503 waits for the server after 7 seconds under the same key', async () => {
    let up = false
    const claimed = { claimedTesp: '0.50000000', claimedUsdt: '0.00000000' }
    const server = serve({ 'POST /api/mining/claim': () => (up ? json(claimed) : unavailable()) })
    await open(claimable)
    fireEvent.click(button())
    await pass(6_900)
    expect(isShown(/^Will/)).toBe(false)
    await pass(200)
    expect(isShown('Will claim your rewards when the server answers')).toBe(true)
    expect(isShown(/^Failed/)).toBe(false)
    expect(within(button()).getByText('Waiting…').className).not.toContain('invisible')
    up = true
    await passUntilShown('Rewards Claimed Successfully')
    expect(isShown(/^Will/)).toBe(false)
    expect(new Set(keysOf(server, 'POST /api/mining/claim')).size).toBe(1)
  })

  it('a claim that was undone while it waited is cancelled under its key', async () => {
    let up = false
    const server = serve({
      'POST /api/mining/claim': unavailable,
      'POST /api/commands/cancel': () =>
        up ? json({ cancelled: true, answer: null }) : unavailable(),
    })
    await open(claimable)
    fireEvent.click(button())
    await pass(7_100)
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await pass(100)
    expect(isShown('Undo is confirmed when the server answers')).toBe(true)
    const claims = server.count('POST /api/mining/claim')
    up = true
    await passUntilShown('Your rewards were not claimed')
    expect(server.count('POST /api/mining/claim')).toBe(claims)
    const [key] = keysOf(server, 'POST /api/mining/claim')
    expect(server.sent.find(({ route }) => route.endsWith('cancel'))?.body).toEqual({ key })
    expect(button()).toHaveProperty('disabled', false)
  })
})

it.each([500, 429])('a claim answered with %i is not sent again', async (status) => {
  const server = serve({ 'POST /api/mining/claim': () => refusal(status, 'No') })
  await open(claimable)
  fireEvent.click(screen.getByRole('button', { name: /claim rewards/i }))
  await pass(500)
  expect(isShown('Failed to Claim Rewards')).toBe(true)
  await pass(10_000)
  expect(server.count('POST /api/mining/claim')).toBe(1)
  expect(localStorage).toHaveLength(0)
})
