import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { setProductClock } from '#client/data/product-clock.ts'
import { storage } from '#client/data/storage.ts'
import { clockText } from '#client/format/dates.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { MainRegion } from '#client/layout/page.tsx'
import { showRestored, socketUp } from '#client/live/connection-state.ts'
import { aReferralInfo } from '#client/screens/team/testing/a-team.ts'
import {
  anActiveStatus,
  anIdleStatus,
  aSession,
  aUser,
  aWallet,
  NOW,
} from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { MAIN_ID } from '#client/ui/focus-main.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { MINUTE_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import { MineScreen } from './mine-screen.tsx'

/** Sets the clock back first: a clock set by an earlier test would be ahead of this snapshot. */
function open(status: MiningStatus) {
  setProductClock({ serverNow: new Date(NOW - 86_400_000).toISOString(), speed: 1 })
  receiveSnapshot('/api/mining/status', status)
  show(<MineScreen />)
}

const later = (status: MiningStatus) => ({ ...status, asOf: status.asOf + 1_000 })

beforeEach(() => {
  serve({})
  startAs()
  // Without the offer of notifications, which is rendered late.
  storage.writeFor(aUser().id, 'pushOffer', 'answered')
})
afterEach(() => {
  act(clearToast)
  vi.unstubAllGlobals()
})

describe('idle', () => {
  it('an idle screen greets the member, shows the defaults and offers to start', () => {
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

  it('an idle screen says once that mining is inactive', () => {
    open(anIdleStatus())
    expect(screen.getAllByText(/inactive|idle|not mining|stopped/i)).toHaveLength(1)
  })

  it('the dial offers the next 24 hours after a completed session', async () => {
    const started = later(anActiveStatus())
    const server = serve({
      'POST /api/mining/start': () => json(started),
      'GET /api/mining/status': () => json(later(started)),
    })
    const session = aSession({ isCompleted: true, remainingTime: 0, nextCreditIn: undefined })
    open(anIdleStatus({ session }))
    expect(screen.queryByRole('button', { name: 'Start mining' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Start the next 24 hours' }))
    await screen.findByRole('button', { name: 'Stop mining' })
    expect(server.count('POST /api/mining/start')).toBe(1)
  })

  it('a start is sent once with an idempotency key and shows the running session', async () => {
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
    const sent = server.sent.find(({ route }) => route === 'POST /api/mining/start')
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/.{32,}/)
    expect(document.querySelector('.random-line')?.textContent).toMatch(/^[0-9A-F]{48}$/)
  })

  it('a rejected start shows the server message', async () => {
    serve({
      'POST /api/mining/start': () => refusal(409, 'Mining is already active', 'mining_active'),
    })
    open(anIdleStatus())
    fireEvent.click(screen.getByRole('button', { name: /start mining/i }))
    expect((await screen.findAllByText('Mining is already active')).length).toBeGreaterThan(0)
  })
})

describe('mining', () => {
  it('the dial stops a running session', async () => {
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

  it('the boost box shows the boost in whole percent', () => {
    open(anActiveStatus({ miningBoost: 0.15000000000000002 }))
    expect(screen.getByText('+15%')).toBeTruthy()
    expect(screen.getByText(/^F1 - Direct Members: each person you directly refer/)).toBeTruthy()
  })

  it('a boost of a thousand percent has a thousands separator', () => {
    open(anActiveStatus({ miningBoost: 10 }))
    expect(screen.getByText('+1,000%')).toBeTruthy()
  })

  it('the boost comes from the newer of mining status and referral info', async () => {
    const info = aReferralInfo({ miningBoost: 0.15, asOf: NOW + 1_000 })
    serve({ 'GET /api/referral/info': () => json(info) })
    open(anActiveStatus({ miningBoost: 0.1 }))
    await screen.findByText('+15%')
    act(() =>
      receiveSnapshot(
        '/api/mining/status',
        anActiveStatus({ miningBoost: 0.2, asOf: NOW + 2_000 }),
      ),
    )
    await screen.findByText('+20%')
  })

  it('the next credit counts down while the earned amount counts up', () => {
    open(anActiveStatus())
    expect(screen.getByText(/Next credit in/).textContent).toMatch(/^Next credit in 1[45]:\d\d$/)
    expect(screen.getByText(/Mining in progress:/).textContent).toMatch(
      /^Mining in progress: \+0\.0083\d\d TESP$/,
    )
  })
})

it('while mining, the line that explains credits stays', () => {
  open(anActiveStatus())
  expect(screen.getByText('A credit arrives every 20 minutes of mining')).toBeTruthy()
})

it('a completed session says what it brought above the next start', () => {
  const session = aSession({
    isCompleted: true,
    remainingTime: 0,
    nextCreditIn: undefined,
    creditedIntervals: 72,
    credited: '2.40000000',
  })
  open(anIdleStatus({ session }))
  expect(screen.getByText('Last session: 2.4000 TESP in 72 credits')).toBeTruthy()
})

describe('wallet figure', () => {
  it('a credit that arrives falls into the figure, one that is there already does not', async () => {
    const credit = (n: number) =>
      anActiveStatus({
        rewardAdded: true,
        rewardAmount: '0.03333333',
        rewardId: `credit:5:${n}`,
        asOf: NOW + n,
      })
    open(credit(3))
    expect(document.querySelector('.credit-arrival')).toBeNull()
    act(() => receiveSnapshot('/api/mining/status', credit(4)))
    await waitFor(() =>
      expect(document.querySelector('.credit-arrival')?.textContent).toBe('+0.0333'),
    )
  })

  it('the balance stands beside the pending rewards and counts up to a credit', async () => {
    receiveSnapshot('/api/wallet', aWallet('18.40000000'))
    open(anActiveStatus())
    const panel = within(screen.getByRole('region', { name: 'Pending Rewards' }))
    expect(panel.getByText('18.4000 TESP').closest('p')?.textContent).toBe(
      'In your wallet 18.4000 TESP',
    )
    act(() => receiveSnapshot('/api/wallet', aWallet('18.43333333', '0', NOW + 1)))
    expect(panel.queryByText('18.4333 TESP')).toBeNull()
    await panel.findByText('18.4333 TESP')
  })

  it('an unknown balance is a dash', () => {
    open(anActiveStatus())
    expect(screen.getByText('–', { selector: '.figure.text-sm *' })).toBeTruthy()
  })
})

it('an offline dial shows since when it runs without the server', () => {
  open(anActiveStatus())
  const line = () =>
    screen.queryByText(/^Offline since \d\d?:\d\d [AP]M: the figures are estimates$/)
  expect(line()).toBeNull()
  act(() => showRestored(Date.now() - MINUTE_MS))
  expect(line()).not.toBeNull()
  expect(screen.getByText('Last known 1 min ago')).toBeTruthy()
  act(socketUp)
  expect(line()).toBeNull()
})

it('an offline dial says since when a credit is due instead of counting at zero', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'performance', 'setTimeout'] })
  open(anActiveStatus())
  act(() => showRestored(Date.now()))
  expect(screen.getByText(/^Next credit in/)).toBeTruthy()
  await act(async () => void vi.advanceTimersByTime(40 * MINUTE_MS))
  const line = screen.getByText(/^Credit due/).textContent
  expect(line).toBe(`Credit due ${clockText(NOW + 15 * MINUTE_MS)}, shown when you are back online`)
  vi.useRealTimers()
})

describe('claiming', () => {
  const pending = anIdleStatus({
    pendingRewards: '0.50000000',
    pendingUsdtRewards: '0.02000000',
    hasPendingRewards: true,
    canClaim: true,
  })
  const button = () => screen.getByRole('button', { name: /claim rewards|claiming/i })

  it('Claim Rewards is disabled without pending rewards', () => {
    open(anIdleStatus())
    expect(button()).toHaveProperty('disabled', true)
    expect(screen.queryByText(/Cooldown:/)).toBeNull()
    const text =
      'Credits go straight to your wallet. If you stop early, the rest waits here until you claim it, and so does USDT.'
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('Claim Rewards is disabled during its cooldown, which counts down', () => {
    const cooldown = { inCooldown: true, remainingText: '12m 04s', remainingTime: 12 * MINUTE_MS }
    open({ ...pending, canClaim: false, cooldown })
    expect(button()).toHaveProperty('disabled', true)
    expect(screen.getByText(/Cooldown:/).textContent).toMatch(/^Cooldown: 1[12]m \d\ds$/)
  })

  it('the cooldown is in Vietnamese on a Vietnamese page', async () => {
    await changeLanguage('vi')
    const cooldown = { inCooldown: true, remainingText: '12m 04s', remainingTime: 12 * MINUTE_MS }
    open({ ...pending, canClaim: false, cooldown })
    const text = screen.getByText(/^Chờ thêm:/).textContent
    expect(text).toMatch(/^Chờ thêm: 1[12] phút \d\d giây$/)
    await act(() => changeLanguage('en'))
  })

  it('a claim reads Claiming... while pending and is sent only once', async () => {
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
    const text = '0.5000 TESP and 0.02 USDT added to your wallet.'
    expect(screen.getAllByText(text).length).toBeGreaterThan(0)
    await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull())
    expect(button()).toHaveProperty('disabled', true)
    expect(server.count('POST /api/mining/claim')).toBe(1)
  })

  it('a rejected claim shows the server message', async () => {
    const message = 'Please wait 12m 04s before claiming again'
    serve({ 'POST /api/mining/claim': () => refusal(429, message, 'claim_cooldown') })
    open(pending)
    fireEvent.click(button())
    expect((await screen.findAllByText('Failed to Claim Rewards')).length).toBeGreaterThan(0)
    expect(screen.getAllByText(message).length).toBeGreaterThan(0)
  })

  it('a failed claim without a server message shows the fallback message', async () => {
    serve({ 'POST /api/mining/claim': () => new Response('<h1>Oops</h1>', { status: 500 }) })
    open(pending)
    fireEvent.click(button())
    const text = 'There was an error claiming your rewards.'
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
  })
})

it('a failed status read offers Try Again', async () => {
  let isUp = false
  serve({
    'GET /api/mining/status': () =>
      isUp ? json(anIdleStatus()) : refusal(500, 'Something went wrong'),
  })
  show(
    <MainRegion>
      <MineScreen />
    </MainRegion>,
  )
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  act(() => retry.focus())
  isUp = true
  fireEvent.click(retry)
  await screen.findByText('Mining Inactive')
  expect(document.activeElement?.id).toBe(MAIN_ID)
})
