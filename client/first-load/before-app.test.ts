import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onFirstInteraction, reloadAfterFailure, shellPainted } from './before-app.ts'

const settled = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(resolve, 0, false))])

it.each(['pointerdown', 'touchstart', 'focusin', 'keydown', 'input'])(
  'the event %s is a use of the page',
  async (name) => {
    const used = onFirstInteraction()
    expect(await settled(used)).toBe(false)
    document.dispatchEvent(new Event(name))
    expect(await settled(used)).toBe(true)
  },
)

it.each([
  [0, 0, false],
  [1, 0, true],
  [0, -1, true],
])('a pointer that moved by (%i, %i) uses the page: %s', async (movementX, movementY, isUse) => {
  const used = onFirstInteraction()
  document.dispatchEvent(Object.assign(new Event('pointermove'), { movementX, movementY }))
  expect(await settled(used)).toBe(isUse)
  document.dispatchEvent(new Event('keydown'))
})

it('a page whose field has the focus already is in use', async () => {
  const field = document.createElement('input')
  document.body.append(field)
  field.focus()
  expect(await settled(onFirstInteraction())).toBe(true)
  field.remove()
})

describe('the first paint', () => {
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
})

describe('a page whose code cannot be loaded', () => {
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
})
