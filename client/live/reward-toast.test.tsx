import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anActiveStatus, aUser } from '#client/testing/fixtures.ts'
import { REWARD_WINDOW_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'

const TITLE = 'TESP has been added to your wallet!'

/** The modules of a newly loaded page, with its toaster; the storage of the device stays. */
async function load() {
  cleanup()
  vi.resetModules()
  await import('#client/testing/all-texts.ts')
  const { setUser } = await import('#client/data/member-data.ts')
  const { clearToast } = await import('#client/ui/toasts/toast.ts')
  const { Toaster } = await import('#client/ui/toasts/toaster.tsx')
  const { announceReward } = await import('./reward-toast.ts')
  const { setProductClock } = await import('#client/data/product-clock.ts')
  render(<Toaster />)
  const toast = () => screen.queryByText(TITLE, { selector: 'ol li *' })
  return {
    announceReward,
    toast,
    receive: setProductClock,
    signIn: (id: number) => setUser(aUser({ id })),
    signOut: () => setUser(null),
    /** Whether the status shows a toast; the toast is removed again. */
    announces(memberId: number, status: MiningStatus | undefined) {
      act(() => announceReward(memberId, status))
      const shown = toast() !== null
      act(clearToast)
      return shown
    },
  }
}

const credited = (rewardId: string) =>
  anActiveStatus({ rewardAdded: true, rewardAmount: '0.03833330', rewardId })

beforeEach(() => localStorage.clear())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('a credit is announced in the words of the specification, for five seconds', async () => {
  const page = await load()
  vi.useFakeTimers()
  act(() => page.announceReward(7, credited('credit:5:1')))
  expect(page.toast()).not.toBeNull()
  const text = '0.0383 TESP has been automatically added to your wallet after 20 minutes of mining.'
  expect(screen.getByText(text, { selector: 'ol li *' })).toBeTruthy()
  act(() => vi.advanceTimersByTime(4_900))
  expect(page.toast()).not.toBeNull()
  act(() => vi.advanceTimersByTime(200))
  expect(page.toast()).toBeNull()
})

it('each credit is announced once, even across a reload', async () => {
  const first = await load()
  expect(first.announces(7, credited('credit:5:1'))).toBe(true)
  expect(first.announces(7, credited('credit:5:1'))).toBe(false)
  const second = await load()
  expect(second.announces(7, credited('credit:5:1'))).toBe(false)
  expect(second.announces(7, credited('credit:5:2'))).toBe(true)
})

it('each member sees only their own reward', async () => {
  const page = await load()
  expect(page.announces(7, credited('credit:5:1'))).toBe(true)
  expect(page.announces(8, credited('credit:6:1'))).toBe(true)
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
})

it('the announced credit is removed from the device at sign-out and not announced again', async () => {
  const page = await load()
  page.signIn(7)
  expect(page.announces(7, credited('credit:5:1'))).toBe(true)
  expect(localStorage.getItem('shownReward:7')).toBe('credit:5:1')
  page.signOut()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('shownReward'))).toEqual([])
  page.signIn(7)
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
})

it('a credit announced by another tab is not announced again, even after a sign-out', async () => {
  const page = await load()
  page.signIn(7)
  localStorage.setItem('shownReward:7', 'credit:5:1')
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
  page.signOut()
  page.signIn(7)
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
})

it('a sign-in removes the announced credits of other members', async () => {
  const page = await load()
  localStorage.setItem('shownReward:7', 'credit:5:1')
  localStorage.setItem('shownReward:8', 'credit:6:1')
  localStorage.setItem('completedTasks', '{}')
  page.signIn(7)
  expect(Object.keys(localStorage).sort()).toEqual(['completedTasks', 'shownReward:7'])
})

it('a credit is announced once when the browser blocks storage', async () => {
  const page = await load()
  const deny = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: deny, setItem: deny, removeItem: deny })
  expect(page.announces(7, credited('credit:5:9'))).toBe(true)
  expect(page.announces(7, credited('credit:5:9'))).toBe(false)
})

it('a hidden page leaves a credit to the page that the member looks at', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const page = await load()
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
  hidden.mockReturnValue(false)
  expect(page.announces(7, credited('credit:5:1'))).toBe(true)
})

it('a page that was hidden when a credit came does not announce it a minute later', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const page = await load()
  vi.useFakeTimers()
  page.receive(credited('credit:5:1'))
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
  hidden.mockReturnValue(false)
  vi.advanceTimersByTime(REWARD_WINDOW_MS)
  expect(page.announces(7, credited('credit:5:1'))).toBe(false)
})

it('a status without a credit is not announced', async () => {
  const page = await load()
  expect(page.announces(7, anActiveStatus())).toBe(false)
  expect(page.announces(7, undefined)).toBe(false)
})
