import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(0)
    await Promise.race([started, Promise.reject(new Error('not started'))])
  })
  return { signIn: () => setUser(aUser({ id: 7 })), signOut: () => setUser(null) }
}

/** A repetition loads the code for real, which takes more than fake time. */
const featuresStart = () =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(5_000)
    expect(startMemberFeatures).toHaveBeenCalledTimes(1)
  })

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
])(
  'the features that cannot be loaded on the page of %s start once they can',
  async (_, cookie) => {
    const { signIn } = await startPage(cookie)
    signIn()
    await vi.advanceTimersByTimeAsync(12_000)
    expect(startMemberFeatures).not.toHaveBeenCalled()
    isReachable = true
    await featuresStart()
    await vi.advanceTimersByTimeAsync(12_000)
    expect(startMemberFeatures).toHaveBeenCalledTimes(1)
  },
)

it('a visitor does not ask for the features again', async () => {
  const { signIn, signOut } = await startPage()
  signIn()
  signOut()
  isReachable = true
  await vi.advanceTimersByTimeAsync(12_000)
  expect(startMemberFeatures).not.toHaveBeenCalled()
})
