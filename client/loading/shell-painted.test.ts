import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shellPainted } from './shell-painted.ts'

let reportPaint = () => {}

class PaintObserver {
  constructor(private readonly report: () => void) {}
  observe() {
    reportPaint = this.report
  }
  disconnect() {}
}

/** Calls back when the shell counts as painted; timers are fake. */
function wait() {
  const painted = vi.fn()
  void shellPainted().then(painted)
  return painted
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('PerformanceObserver', PaintObserver)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('a visible page waits until the browser reports its paint', async () => {
  const painted = wait()
  await vi.advanceTimersByTimeAsync(500)
  expect(painted).not.toHaveBeenCalled()
  reportPaint()
  await vi.advanceTimersByTimeAsync(0)
  expect(painted).toHaveBeenCalled()
})

it('a visible page whose paint is not reported starts after a second', async () => {
  const painted = wait()
  await vi.advanceTimersByTimeAsync(999)
  expect(painted).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(painted).toHaveBeenCalled()
})

it('a page that was opened in a background tab starts at once', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const painted = wait()
  await vi.advanceTimersByTimeAsync(0)
  expect(painted).toHaveBeenCalled()
})
