import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reloadAfterFailure } from './reload-after-failure.ts'

/** How the page was loaded. */
const loadedBy = (type: string) =>
  vi
    .spyOn(performance, 'getEntriesByType')
    .mockReturnValue([{ type }] as unknown as PerformanceEntryList)

const spyOnReload = () => vi.spyOn(window.location, 'reload').mockImplementation(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('a page is reloaded at once, and 10 seconds later if that did not help', () => {
  const reload = spyOnReload()
  loadedBy('navigate')
  reloadAfterFailure()
  vi.advanceTimersByTime(0)
  expect(reload).toHaveBeenCalledTimes(1)
  loadedBy('reload')
  reloadAfterFailure()
  vi.advanceTimersByTime(9_999)
  expect(reload).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(reload).toHaveBeenCalledTimes(2)
})

it('a page without a network stays until the browser is online', () => {
  const reload = spyOnReload()
  loadedBy('navigate')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  reloadAfterFailure()
  vi.advanceTimersByTime(60_000)
  expect(reload).not.toHaveBeenCalled()
  window.dispatchEvent(new Event('online'))
  expect(reload).toHaveBeenCalledTimes(1)
})
