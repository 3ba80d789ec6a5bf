import { afterEach, describe, expect, it, vi } from 'vitest'
import { json, serve } from '#client/testing/server.ts'
import type { PushPayload } from '#rules/members/reminders'
import { openPath, pathOf, renewSubscription, showReminder } from './notifications.ts'
import type { OpenWindow } from './worker-scope.ts'

afterEach(() => vi.unstubAllGlobals())

const payload: PushPayload = {
  title: 'Your 24 hours are over',
  body: 'Start the next session to keep mining.',
  tag: 'session-5',
  path: '/mine',
  lang: 'en',
}

const windowAt = (path: string, visibilityState: DocumentVisibilityState = 'hidden') => ({
  url: `https://tesp.example${path}`,
  visibilityState,
  focus: vi.fn(async () => {}),
  postMessage: vi.fn(),
})
const windowsWith = (open: OpenWindow[], openWindow = vi.fn(async () => {})) => ({
  matchAll: async () => open,
  openWindow,
})

it('a notification has the tag of its session and replaces an equal one silently', async () => {
  const showNotification = vi.fn(async () => {})
  const setAppBadge = vi.fn(async () => Promise.reject(new Error('no permission')))
  Object.assign(navigator, { setAppBadge })
  await showReminder({ showNotification }, windowsWith([]), payload)
  expect(setAppBadge).toHaveBeenCalledTimes(1)
  expect(showNotification).toHaveBeenCalledWith(
    'Your 24 hours are over',
    expect.objectContaining({
      body: 'Start the next session to keep mining.',
      tag: 'session-5',
      renotify: false,
      data: { path: '/mine' },
    }),
  )
})

it.each<[DocumentVisibilityState, number]>([
  ['visible', 0],
  ['hidden', 1],
])('the icon is marked unless the app is visible: %s', async (visibility, marks) => {
  const setAppBadge = vi.fn(async () => {})
  const windows = windowsWith([windowAt('/wallet', visibility), windowAt('/status', 'visible')])
  Object.assign(navigator, { setAppBadge })
  await showReminder({ showNotification: async () => {} }, windows, payload)
  expect(setAppBadge).toHaveBeenCalledTimes(marks)
})

it.each([
  [{ path: '/mine' }, '/mine'],
  [{ path: 'https://evil.example/' }, '/'],
  [{}, '/'],
  [undefined, '/'],
])('the data %j opens %s', (data, path) => {
  expect(pathOf({ data })).toBe(path)
})

describe('a pressed notification', () => {
  async function press(open: OpenWindow[]) {
    const openWindow = vi.fn(async () => {})
    await openPath(windowsWith(open, openWindow), '/mine')
    return openWindow
  }

  it('focuses the visible tab and lets it navigate', async () => {
    const [hidden, visible] = [windowAt('/wallet'), windowAt('/team', 'visible')]
    expect(await press([hidden, visible])).not.toHaveBeenCalled()
    expect(visible.focus).toHaveBeenCalled()
    expect(visible.postMessage).toHaveBeenCalledWith({ open: '/mine' })
    expect(hidden.focus).not.toHaveBeenCalled()
  })

  it('opens a window if no tab shows the app', async () => {
    expect(await press([])).toHaveBeenCalledWith('/mine')
    expect(await press([windowAt('/status', 'visible')])).toHaveBeenCalledWith('/mine')
  })
})

describe('a subscription that the browser replaces', () => {
  const ADD = 'POST /api/reminders/push'
  const subscription = (endpoint: string) =>
    ({
      endpoint,
      options: { userVisibleOnly: true },
      toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    }) as unknown as PushSubscription
  const managerWith = (made: PushSubscription | null) =>
    ({
      subscribe: vi.fn(async () => made),
      getSubscription: vi.fn(async () => made),
    }) as unknown as PushManager
  const body = { endpoint: 'new', p256dh: 'p', auth: 'a' }

  it('the new one is sent to the server', async () => {
    const server = serve({ [ADD]: () => json({}) })
    const newSubscription = subscription('new')
    await renewSubscription({ pushManager: managerWith(null) }, { newSubscription })
    expect(server.sent).toMatchObject([{ route: ADD, body }])
  })

  it('an expired one is made again with its options', async () => {
    const server = serve({ [ADD]: () => json({}) })
    const pushManager = managerWith(subscription('new'))
    const oldSubscription = subscription('old')
    await renewSubscription({ pushManager }, { oldSubscription, newSubscription: null })
    expect(pushManager.subscribe).toHaveBeenCalledWith(oldSubscription.options)
    expect(server.sent).toMatchObject([{ route: ADD, body }])
  })

  it('without any nothing is sent', async () => {
    const server = serve({})
    await renewSubscription({ pushManager: managerWith(null) }, {})
    expect(server.sent).toEqual([])
  })
})
