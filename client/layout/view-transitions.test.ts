import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pollAnswered, socketBlocked } from '#client/live/connection-state.ts'
import { crossfade, followMissingCode } from './view-transitions.ts'

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

it('after a code file that could not be loaded, the next step with a connection loads the page', () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  followMissingCode()
  window.dispatchEvent(new Event('vite:preloadError'))
  socketBlocked()
  pollAnswered(false)
  crossfade(navigate, '/wallet')
  expect(assign).not.toHaveBeenCalled()
  pollAnswered(true)
  crossfade(navigate, '/auth', { replace: true })
  expect(assign).not.toHaveBeenCalled()
  expect(navigate).toHaveBeenCalledTimes(2)
  crossfade(navigate, '/wallet')
  expect(assign).toHaveBeenCalledWith('/wallet')
  expect(navigate).toHaveBeenCalledTimes(2)
})
