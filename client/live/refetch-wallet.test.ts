import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot, snapshotOf, walletAtom } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { anActiveStatus, anIdleStatus, aSession, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import type { MiningStatus } from '#rules/snapshots'
import {
  LATE_MS,
  missedAfterMs,
  missedCreditAlarm,
  OVERDUE_MS,
  refetchWalletOnChange,
} from './refetch-wallet.ts'

describe('money that moved', () => {
  let server: ReturnType<typeof serve>
  let unsubscribe = () => {}
  let onStatus: () => void

  beforeEach(() => {
    vi.useFakeTimers()
    startAs()
    server = serve({ 'GET /api/wallet': () => json(aWallet('2', '0', NOW + 60_000)) })
    receiveSnapshot('/api/mining/status', anActiveStatus({ asOf: NOW }))
    receiveSnapshot('/api/wallet', aWallet('1', '0', NOW))
    unsubscribe = store.sub(walletAtom, () => {})
    onStatus = refetchWalletOnChange()
  })
  afterEach(() => {
    unsubscribe()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  function receive(changes: Partial<MiningStatus>): void {
    receiveSnapshot('/api/mining/status', anActiveStatus({ asOf: NOW + 5_000, ...changes }))
    onStatus()
  }
  const reads = async () => {
    await vi.advanceTimersByTimeAsync(500)
    return server.count('GET /api/wallet')
  }

  it('a status with a credit reads a wallet that is older', async () => {
    receive({ rewardId: 'credit:5:4' })
    expect(await reads()).toBe(1)
    expect(snapshotOf('/api/wallet')?.tesp[0]?.balance).toBe('2')
  })

  it.each([{ pendingRewards: '0.01000000' }, { pendingUsdtRewards: '0.01000000' }])(
    'a status with other pending amounts reads a wallet that is older: %o',
    async (changes) => {
      receive(changes)
      expect(await reads()).toBe(1)
    },
  )

  it('a status without a last credit reads no wallet', async () => {
    receive({ rewardId: null })
    expect(await reads()).toBe(0)
  })

  it('a status in which no money moved reads no wallet', async () => {
    receive({})
    expect(await reads()).toBe(0)
  })

  it('a wallet pushed with the status is not read again', async () => {
    receiveSnapshot('/api/wallet', aWallet('2', '0', NOW + 5_000))
    receive({ rewardId: 'credit:5:4' })
    expect(await reads()).toBe(0)
  })

  it('a wallet that a command reads is not read twice', async () => {
    void refresh('/api/wallet')
    await vi.advanceTimersByTimeAsync(100)
    receive({ pendingRewards: '0.00000000' })
    expect(await reads()).toBe(1)
  })
})

describe('a credit that is overdue', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const dueIn = (nextCreditIn: number, speed = 1) =>
    anActiveStatus({ session: aSession({ nextCreditIn }), speed })

  it('a credit counts as missed 20 real seconds after it was due, even on a fast clock', () => {
    expect(missedAfterMs(dueIn(60_000))).toBe(60_000 + OVERDUE_MS)
    expect(missedAfterMs(dueIn(60_000, 60))).toBe(1_000 + OVERDUE_MS)
    expect(missedAfterMs(anIdleStatus())).toBeNull()
  })

  it('the alarm fires once for a status that no other followed', () => {
    const [onMissed, lookAgain] = [vi.fn(), vi.fn()]
    const alarm = missedCreditAlarm(onMissed, lookAgain)
    const status = dueIn(60_000)
    alarm.arm(status)
    vi.advanceTimersByTime(50_000)
    alarm.arm(status)
    vi.advanceTimersByTime(29_999)
    expect(onMissed).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onMissed).toHaveBeenCalledTimes(1)
    alarm.arm(status)
    vi.advanceTimersByTime(1.25 * LATE_MS)
    expect(onMissed).toHaveBeenCalledTimes(1)
    expect(lookAgain).toHaveBeenCalledTimes(1)
    alarm.stop()
  })

  const over = (creditedIntervals: number) =>
    anIdleStatus({
      session: aSession({ isCompleted: true, creditedIntervals, nextCreditIn: undefined }),
    })

  it('nothing is looked for after the last credit', () => {
    const lookAgain = vi.fn()
    missedCreditAlarm(lookAgain, lookAgain).arm(over(72))
    vi.advanceTimersByTime(10 * LATE_MS)
    expect(lookAgain).not.toHaveBeenCalled()
  })

  it.each([
    ['a credit that is late already', dueIn(0)],
    ['the last credit of a session', over(71)],
  ])('%s is looked for until another status arrives', (_, late) => {
    const [onMissed, lookAgain] = [vi.fn(), vi.fn()]
    const alarm = missedCreditAlarm(onMissed, lookAgain)
    alarm.arm(late)
    vi.advanceTimersByTime(4 * 1.25 * LATE_MS)
    expect(lookAgain.mock.calls.length).toBeGreaterThanOrEqual(4)
    lookAgain.mockClear()
    alarm.arm(dueIn(1_200_000))
    vi.advanceTimersByTime(1_200_000)
    expect(lookAgain).not.toHaveBeenCalled()
    expect(onMissed).not.toHaveBeenCalled()
    alarm.stop()
  })

  it('the alarm does not fire after the next status has arrived', () => {
    const onMissed = vi.fn()
    const alarm = missedCreditAlarm(onMissed, onMissed)
    alarm.arm(dueIn(60_000))
    vi.advanceTimersByTime(60_000)
    alarm.arm(dueIn(1_200_000))
    vi.advanceTimersByTime(1_200_000)
    expect(onMissed).not.toHaveBeenCalled()
    alarm.stop()
  })
})
