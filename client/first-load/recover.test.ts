import fs from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const source = fs.readFileSync('client/public/recover.js', 'utf8')
const code = new Function(source)

/** Opens a page, as a reload does too; its entry sets the mark if it runs. */
function openPage(root: string) {
  document.body.innerHTML = root
  code()
}
const DEAD = '<div id="root"></div>'
const RUNNING = '<div id="root" data-runs></div>'

const spyOnReload = () => vi.spyOn(window.location, 'reload').mockImplementation(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  sessionStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('a page whose entry runs is not reloaded', () => {
  const reload = spyOnReload()
  openPage(RUNNING)
  vi.advanceTimersByTime(3_600_000)
  expect(reload).not.toHaveBeenCalled()
})

it('a page whose entry did not run is reloaded after pauses that double, six times', () => {
  const reload = spyOnReload()
  for (const [index, seconds] of [2, 4, 8, 16, 32, 64].entries()) {
    openPage(DEAD)
    vi.advanceTimersByTime(seconds * 1_000 - 1)
    expect(reload).toHaveBeenCalledTimes(index)
    vi.advanceTimersByTime(1)
    expect(reload).toHaveBeenCalledTimes(index + 1)
  }
  openPage(DEAD)
  vi.advanceTimersByTime(3_600_000)
  expect(reload).toHaveBeenCalledTimes(6)
})

it('a page that runs ends the count of the reloads before it', () => {
  const reload = spyOnReload()
  openPage(DEAD)
  vi.advanceTimersByTime(2_000)
  openPage(RUNNING)
  openPage(DEAD)
  vi.advanceTimersByTime(2_000)
  expect(reload).toHaveBeenCalledTimes(2)
})

it('a page without a network is reloaded when the browser is online', () => {
  const reload = spyOnReload()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  openPage(DEAD)
  vi.advanceTimersByTime(3_600_000)
  expect(reload).not.toHaveBeenCalled()
  window.dispatchEvent(new Event('online'))
  expect(reload).toHaveBeenCalledTimes(1)
})

it('a page whose browser denies storage is not reloaded', () => {
  const reload = spyOnReload()
  vi.stubGlobal('sessionStorage', undefined)
  openPage(DEAD)
  vi.unstubAllGlobals()
  vi.advanceTimersByTime(3_600_000)
  expect(reload).not.toHaveBeenCalled()
})
