import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { setProductClock } from '#client/data/product-clock.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { anActiveStatus, anIdleStatus, aSession, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { DAY_MS, MINUTE_MS } from '#rules/constants'
import type { MiningSession } from '#rules/snapshots'
import { awayCreditsAtom, creditsAfter, dismissAwayCredits, watchAbsence } from './away-credits.ts'

const MEMBER = 7

/** The status `ms` after `NOW`. The session's third credit came 5 minutes before `NOW`. */
function statusAt(ms: number, session: Partial<MiningSession> = {}) {
  const serverNow = new Date(NOW + ms).toISOString()
  return anActiveStatus({ serverNow, asOf: NOW + ms, session: aSession(session) })
}
const three = { creditedIntervals: 3, credited: '0.10000000' }
const four = { creditedIntervals: 4, credited: '0.13333333' }
const five = { creditedIntervals: 5, credited: '0.16666666' }
const oneSeen = { sessionId: 5, count: 1, credited: '0.03333333' }

describe('credits after what was seen', () => {
  it('credits that ended before the member came back are counted and summed', () => {
    const more = creditsAfter(oneSeen, statusAt(0, three), NOW)
    expect(more).toEqual({ count: 2, amount: '0.06666667' })
  })

  it('a credit that ended while the member was there is no absence', () => {
    const seen = { sessionId: 5, count: 3, credited: '0.10000000' }
    expect(creditsAfter(seen, statusAt(16 * MINUTE_MS, four), NOW)).toBeNull()
    expect(creditsAfter(seen, statusAt(16 * MINUTE_MS, four), NOW + 15 * MINUTE_MS)).not.toBeNull()
  })

  it('no new credit, no session and another session are no absence', () => {
    const seen = { sessionId: 5, count: 3, credited: '0.10000000' }
    expect(creditsAfter(seen, statusAt(0, three), NOW)).toBeNull()
    expect(creditsAfter(seen, anIdleStatus(), NOW)).toBeNull()
    expect(creditsAfter({ ...oneSeen, sessionId: 4 }, statusAt(0, three), NOW)).toBeNull()
  })
})

describe('a member who comes and goes', () => {
  let hidden = false
  let watch: ReturnType<typeof watchAbsence>

  beforeEach(() => {
    vi.useFakeTimers({ now: NOW })
    vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
    hidden = false
    // An earlier test may have set the clock ahead.
    setProductClock({ serverNow: new Date(NOW - DAY_MS).toISOString(), speed: 1 })
    startAs()
  })
  afterEach(() => {
    watch.stop()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  const shown = () => store.get(awayCreditsAtom)
  const seenOnDevice = () => storage.readFor(MEMBER, 'seenCredits')

  function receive(status: ReturnType<typeof statusAt>) {
    receiveSnapshot('/api/mining/status', status)
    watch.onStatus()
  }
  function openPage() {
    watch = watchAbsence(MEMBER)
  }
  function setHidden(value: boolean) {
    hidden = value
    document.dispatchEvent(new Event('visibilitychange'))
  }

  it('credits of a closed page are shown once, and not again after a reload', () => {
    storage.writeFor(MEMBER, 'seenCredits', oneSeen)
    openPage()
    receive(statusAt(0, three))
    expect(shown()).toEqual({ count: 2, amount: '0.06666667' })
    watch.stop()
    openPage()
    receive(statusAt(1_000, three))
    expect(shown()).toBeNull()
  })

  it('a first visit shows nothing and is remembered', () => {
    openPage()
    receive(statusAt(0, three))
    expect(shown()).toBeNull()
    expect(seenOnDevice()).toEqual({ sessionId: 5, count: 3, credited: '0.10000000' })
  })

  it('a credit that arrives on the screen is no absence', () => {
    openPage()
    receive(statusAt(0, three))
    vi.advanceTimersByTime(16 * MINUTE_MS)
    receive(statusAt(16 * MINUTE_MS, four))
    expect(shown()).toBeNull()
    expect(seenOnDevice()).toMatchObject({ count: 4 })
  })

  it('credits that arrive while the page is hidden are shown when it is visible again', () => {
    openPage()
    receive(statusAt(0, three))
    setHidden(true)
    vi.advanceTimersByTime(16 * MINUTE_MS)
    receive(statusAt(16 * MINUTE_MS, four))
    expect(shown()).toBeNull()
    setHidden(false)
    expect(shown()).toEqual({ count: 1, amount: '0.03333333' })
  })

  it('credits of two absences add up until they are dismissed', () => {
    storage.writeFor(MEMBER, 'seenCredits', oneSeen)
    openPage()
    receive(statusAt(0, three))
    setHidden(true)
    vi.advanceTimersByTime(36 * MINUTE_MS)
    receive(statusAt(36 * MINUTE_MS, five))
    setHidden(false)
    expect(shown()).toEqual({ count: 4, amount: '0.13333333' })
    dismissAwayCredits()
    expect(shown()).toBeNull()
  })

  it('an older status, as it is restored offline, repeats no absence', () => {
    openPage()
    receive(statusAt(0, three))
    storage.writeFor(MEMBER, 'seenCredits', { ...oneSeen, count: 4 })
    receive(statusAt(1_000, three))
    expect(seenOnDevice()).toMatchObject({ count: 4 })
  })

  it.each(['text', { sessionId: '5' }, { ...oneSeen, credited: '1e3' }])(
    'the stored value %j counts as a first visit',
    (value) => {
      storage.writeFor(MEMBER, 'seenCredits', value)
      openPage()
      receive(statusAt(0, three))
      expect(shown()).toBeNull()
      expect(seenOnDevice()).toMatchObject({ count: 3 })
    },
  )
})
