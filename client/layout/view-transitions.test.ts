import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { crossfade, loadPagesWhile } from './view-transitions.ts'

const started = vi.fn()
const navigate = vi.fn()

function startViewTransition(update: () => void) {
  started()
  update()
  return { ready: Promise.reject(new DOMException('skipped', 'AbortError')) }
}

beforeEach(() => {
  started.mockClear()
  navigate.mockClear()
  Object.defineProperty(document, 'startViewTransition', {
    configurable: true,
    value: startViewTransition,
  })
  window.history.replaceState(null, '', '/mine')
})
afterEach(() => {
  Reflect.deleteProperty(document, 'startViewTransition')
  vi.unstubAllGlobals()
})

it('a step to another screen is a crossfade, and a skipped one is no error', async () => {
  crossfade(navigate, '/wallet')
  expect(started).toHaveBeenCalledTimes(1)
  expect(navigate).toHaveBeenCalledWith('/wallet', { replace: false })
  // An unhandled rejection would fail the run.
  await new Promise((resolve) => setTimeout(resolve))
})

it('a redirect and a step to the same screen happen at once', () => {
  crossfade(navigate, '/auth', { replace: true })
  crossfade(navigate, '/mine')
  expect(started).not.toHaveBeenCalled()
  expect(navigate).toHaveBeenCalledTimes(2)
})

it('a step to the page that is open adds no entry to the history', () => {
  window.history.replaceState(null, '', '/account?view=security')
  crossfade(navigate, '/account?view=security')
  expect(navigate).toHaveBeenLastCalledWith('/account?view=security', { replace: true })
  crossfade(navigate, '/account')
  expect(navigate).toHaveBeenLastCalledWith('/account', { replace: false })
})

it('a step with reduced motion happens at once', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  crossfade(navigate, '/wallet')
  expect(started).not.toHaveBeenCalled()
  expect(navigate).toHaveBeenCalledTimes(1)
})

it('a browser without view transitions navigates at once', () => {
  Reflect.deleteProperty(document, 'startViewTransition')
  crossfade(navigate, '/wallet')
  expect(navigate).toHaveBeenCalledWith('/wallet', { replace: false })
})

it('a step, but no redirect, loads the whole page while it has to', () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  let isLost = false
  loadPagesWhile(() => isLost)
  crossfade(navigate, '/wallet')
  isLost = true
  crossfade(navigate, '/auth', { replace: true })
  expect([navigate.mock.calls.length, assign.mock.calls.length]).toEqual([2, 0])
  crossfade(navigate, '/wallet')
  expect(assign).toHaveBeenCalledWith('/wallet')
  expect(navigate).toHaveBeenCalledTimes(2)
})
