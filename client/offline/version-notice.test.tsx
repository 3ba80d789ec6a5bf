import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { APP_INFO_MS } from '#client/data/app-info.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { VersionNotice } from './version-notice.tsx'

const answer = (minimumVersion: string | null) => json({ flags: [], minimumVersion, taskLinks: {} })

const notice = () => screen.queryByText('A new version is available')

beforeEach(() => {
  vi.useFakeTimers()
  startAs()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function open(minimumVersion: string | null) {
  let minimum = minimumVersion
  const server = serve({ 'GET /api/app': () => answer(minimum) })
  show(<VersionNotice />)
  await wait(50)
  return {
    server,
    raise: (version: string) => {
      minimum = version
    },
  }
}

describe('the version notice', () => {
  it('the client sends its version once', async () => {
    const { server } = await open(null)
    await wait(APP_INFO_MS - 1_000)
    expect(server.sent.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
      `/api/app?version=${__APP_VERSION__}`,
    ])
  })

  it.each([null, '0.0.1', __APP_VERSION__])(
    'minimum version %s shows no notice',
    async (minimum) => {
      await open(minimum)
      expect(notice()).toBeNull()
    },
  )

  it('a client that is too old offers to reload', async () => {
    await open('99.0.0')
    expect(notice()).not.toBeNull()
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    fireEvent.click(screen.getByRole('button', { name: 'Reload' }))
    await wait(0)
    expect(reload).toHaveBeenCalledOnce()
  })

  it('a client that becomes too old shows the notice within 30 minutes', async () => {
    const { server, raise } = await open('0.0.1')
    const before = server.count('GET /api/app')
    raise('99.0.0')
    await wait(APP_INFO_MS)
    expect(server.count('GET /api/app')).toBe(before + 1)
    expect(notice()).not.toBeNull()
  })

  it('a read that failed is repeated after 15 s until it succeeds', async () => {
    let isLost = true
    const server = serve({ 'GET /api/app': () => (isLost ? lost() : answer('99.0.0')) })
    show(<VersionNotice />)
    await wait(1_000)
    const before = server.count('GET /api/app')
    await wait(30_000)
    expect(server.count('GET /api/app')).toBe(before + 2)
    isLost = false
    await wait(15_000)
    expect(notice()).not.toBeNull()
    await wait(60_000)
    expect(server.count('GET /api/app')).toBe(before + 3)
  })

  it('a page that was hidden for longer shows the notice as soon as it is visible', async () => {
    const { server, raise } = await open('0.0.1')
    const hide = (isHidden: boolean) => {
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
      const state = isHidden ? 'hidden' : 'visible'
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
      act(() => void document.dispatchEvent(new Event('visibilitychange')))
    }
    const before = server.count('GET /api/app')
    hide(true)
    raise('99.0.0')
    await wait(APP_INFO_MS - 1_000)
    hide(false)
    await wait(10)
    hide(true)
    await wait(APP_INFO_MS)
    expect(server.count('GET /api/app')).toBe(before)
    hide(false)
    await wait(10)
    expect(server.count('GET /api/app')).toBe(before + 1)
    expect(notice()).not.toBeNull()
  })
})
