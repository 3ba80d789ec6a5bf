import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '#client/testing/eventually.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { serve, setMemberCookie } from '#client/testing/server.ts'

const startMemberFeatures = vi.fn()
let isReachable = false

/** Starts a page with modules that have not been used, whose features cannot be loaded at first. */
async function startPage(memberId?: number) {
  vi.resetModules()
  setMemberCookie(memberId)
  serve({})
  vi.doMock('./member-features.ts', () => {
    if (!isReachable) throw new TypeError('Failed to fetch dynamically imported module')
    return { startMemberFeatures }
  })
  const { start } = await import('./start.tsx')
  const { setUser } = await import('./data/member-data.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const started = start(document.createElement('div'))
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(0)
    await Promise.race([started, Promise.reject(new Error('not started'))])
  })
  return { signIn: () => setUser(aUser({ id: 7 })), signOut: () => setUser(null) }
}

beforeEach(() => {
  isReachable = false
  startMemberFeatures.mockClear()
  window.history.replaceState(null, '', '/nowhere')
})
afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('./member-features.ts')
  vi.unstubAllGlobals()
  setMemberCookie(undefined)
})

it.each([
  ['a visitor who signs in', undefined],
  ['a member', 7],
])('the page of %s whose features cannot be loaded is loaded again', async (_, cookie) => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  const { signIn } = await startPage(cookie)
  signIn()
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(100)
    expect(reload).toHaveBeenCalled()
  })
  expect(startMemberFeatures).not.toHaveBeenCalled()
  reload.mockRestore()
})

it('the features of a visitor who signs in start once', async () => {
  isReachable = true
  const { signIn, signOut } = await startPage()
  signIn()
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(100)
    expect(startMemberFeatures).toHaveBeenCalledTimes(1)
  })
  signOut()
  signIn()
  await vi.advanceTimersByTimeAsync(12_000)
  expect(startMemberFeatures).toHaveBeenCalledTimes(1)
})

it('the page of a visitor without features is not loaded again', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  await startPage()
  await vi.advanceTimersByTimeAsync(12_000)
  expect(reload).not.toHaveBeenCalled()
  reload.mockRestore()
})
