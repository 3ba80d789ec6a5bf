import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINING_URL, receiveSnapshot } from '#client/data/member-data.ts'
import { setClock } from '#client/data/product-clock.ts'
import { showRestored, socketUp } from '#client/live/connection-state.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import { anActiveStatus, anIdleStatus, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import { MINUTE_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import { MineScreen } from './mine-screen.tsx'

/** A clock that was set earlier in this file would be ahead of the next test's snapshot. */
function open(status: MiningStatus) {
  setClock({ serverNow: new Date(NOW - 86_400_000).toISOString(), speed: 1 })
  receiveSnapshot(MINING_URL, status)
  show(<MineScreen />)
}

const later = (status: MiningStatus) => ({ ...status, asOf: status.asOf + 1_000 })

beforeEach(() => {
  serve({})
  startAs()
})
afterEach(() => {
  clearToast()
  vi.unstubAllGlobals()
})

describe('while idle', () => {
  it('greets, shows the defaults and offers to start', () => {
    open(anIdleStatus())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Hello, mai!')
    expect(screen.getByText('Mining Inactive')).toBeTruthy()
    expect(screen.getByText('Mining visualization will appear here when active...')).toBeTruthy()
    expect(screen.getByText('Start mining to earn TESP')).toBeTruthy()
    expect(screen.getByText('4,616')).toBeTruthy()
    expect(screen.getByText('18.90')).toBeTruthy()
    expect(screen.getByText('00:00:00')).toBeTruthy()
    expect(screen.queryByText('Boost from F1')).toBeNull()
  })

  it('starts under one key and shows the running session', async () => {
    const started = later(anActiveStatus())
    const server = serve({
      'POST /api/mining/start': () => json(started),
      'GET /api/mining/status': () => json(later(started)),
    })
    open(anIdleStatus())
    fireEvent.click(screen.getByRole('button', { name: /start mining/i }))
    expect(screen.getByRole('button', { name: /starting/i })).toHaveProperty('disabled', true)
    await screen.findByText('Mining Active')
    expect(server.count('POST /api/mining/start')).toBe(1)
    const pressed = server.sent.find(({ route }) => route === 'POST /api/mining/start')
    expect(pressed?.headers.get('Idempotency-Key')).toMatch(/.{32,}/)
    expect(screen.getByTestId('random-line').textContent).toMatch(/^[0-9A-F]{48}$/)
  })

  it('says in the words of the server why it did not start', async () => {
    serve({
      'POST /api/mining/start': () => refusal(409, 'Mining is already active', 'mining_active'),
    })
    open(anIdleStatus())
    fireEvent.click(screen.getByRole('button', { name: /start mining/i }))
    expect((await screen.findAllByText('Mining is already active')).length).toBeGreaterThan(0)
  })
})

describe('while mining', () => {
  it('stops with the same button', async () => {
    const stopped = later(anIdleStatus())
    const server = serve({
      'POST /api/mining/stop': () => json(stopped),
      'GET /api/mining/status': () => json(later(stopped)),
    })
    open(anActiveStatus())
    fireEvent.click(screen.getByRole('button', { name: /stop mining/i }))
    await screen.findByText('Mining Inactive')
    expect(server.count('POST /api/mining/stop')).toBe(1)
  })

  it('tells of the boost where there is one', () => {
    open(anActiveStatus({ miningBoost: 0.1 }))
    expect(screen.getByText('+10%')).toBeTruthy()
    expect(screen.getByText(/^F1 - Direct Members: each person you directly refer/)).toBeTruthy()
  })

  it('reads the boost of the team too, and believes the newer of the two', async () => {
    const info = aReferralInfo({ miningBoost: 0.15, asOf: NOW + 1_000 })
    serve({ 'GET /api/referral/info': () => json(info) })
    open(anActiveStatus({ miningBoost: 0.1 }))
    await screen.findByText('+15%')
    act(() => receiveSnapshot(MINING_URL, anActiveStatus({ miningBoost: 0.2, asOf: NOW + 2_000 })))
    await screen.findByText('+20%')
  })

  it('counts down to the next credit and up what is earned', () => {
    open(anActiveStatus())
    expect(screen.getByText(/Next credit in/).textContent).toMatch(/^Next credit in 1[45]:\d\d$/)
    expect(screen.getByText(/Mining in progress:/).textContent).toMatch(
      /^Mining in progress: \+0\.0083\d\d TESP$/,
    )
  })
})

it('says since when the dial counts on by itself while offline', () => {
  open(anActiveStatus())
  const line = () => screen.queryByText(/^Offline: counting on from \d\d:\d\d$/)
  expect(line()).toBeNull()
  act(() => showRestored(Date.now() - MINUTE_MS))
  expect(line()).not.toBeNull()
  expect(screen.getByText('Last known 1 min ago')).toBeTruthy()
  act(socketUp)
  expect(line()).toBeNull()
})

describe('claiming', () => {
  const pending = anIdleStatus({
    pendingRewards: '0.50000000',
    pendingUsdtRewards: '0.02000000',
    hasPendingRewards: true,
    canClaim: true,
  })
  const button = () => screen.getByRole('button', { name: /claim rewards|claiming/i })

  it('is offered only where something can be claimed', () => {
    open(anIdleStatus())
    expect(button()).toHaveProperty('disabled', true)
    expect(screen.queryByText(/Cooldown:/)).toBeNull()
  })

  it('waits for its cooldown and says how long', () => {
    const cooldown = { inCooldown: true, remainingText: '12m 04s', remainingTime: 12 * MINUTE_MS }
    open({ ...pending, canClaim: false, cooldown })
    expect(button()).toHaveProperty('disabled', true)
    expect(screen.getByText(/Cooldown:/).textContent).toMatch(/^Cooldown: 1[12]m \d\ds$/)
  })

  it('reads Claiming... while busy, thanks, and is not offered again', async () => {
    const server = serve({
      'POST /api/mining/claim': () =>
        json({ claimedTesp: '0.50000000', claimedUsdt: '0.02000000' }),
      'GET /api/mining/status': () => json(later(anIdleStatus())),
    })
    open(pending)
    fireEvent.click(button())
    fireEvent.click(button())
    expect(button()).toHaveProperty('disabled', true)
    expect(within(button()).getByText('Claiming...').className).not.toContain('invisible')
    expect((await screen.findAllByText('Rewards Claimed Successfully')).length).toBeGreaterThan(0)
    const text = '0.50 TESP and 0.02 USDT added to your wallet.'
    expect(screen.getAllByText(text).length).toBeGreaterThan(0)
    await waitFor(() => expect(button()).toHaveProperty('disabled', true))
    expect(server.count('POST /api/mining/claim')).toBe(1)
  })

  it('says in the words of the server why it failed', async () => {
    const message = 'Please wait 12m 04s before claiming again'
    serve({ 'POST /api/mining/claim': () => refusal(429, message, 'claim_cooldown') })
    open(pending)
    fireEvent.click(button())
    expect((await screen.findAllByText('Failed to Claim Rewards')).length).toBeGreaterThan(0)
    expect(screen.getAllByText(message).length).toBeGreaterThan(0)
  })

  it('says so in its own words where the server has none', async () => {
    serve({ 'POST /api/mining/claim': () => new Response('<h1>Oops</h1>', { status: 500 }) })
    open(pending)
    fireEvent.click(button())
    const text = 'There was an error claiming your rewards.'
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
  })
})

it('offers to try again where the status cannot be had', async () => {
  let answers = false
  serve({
    'GET /api/mining/status': () =>
      answers ? json(anIdleStatus()) : refusal(500, 'Something went wrong'),
  })
  show(<MineScreen />)
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  answers = true
  fireEvent.click(retry)
  await screen.findByText('Mining Inactive')
})
