import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storage } from '#client/data/storage.ts'
import { i18n } from '#client/language/language.ts'
import { type FakePush, installPush, removePush } from '#client/testing/fake-push.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { keepPush, sendSubscription, startPush } from './push.ts'
import { endPush } from './push-device.ts'

const ADD = 'POST /api/reminders/push'
const READ = 'GET /api/reminders'
const THIS_DEVICE = { id: 5, device: 'Chrome', addedAt: '2026-03-01T12:00:00.000Z', current: true }
const SETTINGS = { mail: false, kinds: null, pushKey: null, devices: [THIS_DEVICE] }
const REMOVED = { ...SETTINGS, devices: [] }
const mai = aUser()
let push: FakePush
let server: ReturnType<typeof serve>

beforeEach(async () => {
  startAs(mai)
  push = installPush()
  server = serve({ [ADD]: () => json(SETTINGS), [READ]: () => json(SETTINGS) })
  push.subscription = push.newSubscription()
  await sendSubscription(mai.id, push.subscription as unknown as PushSubscription)
})
afterEach(async () => {
  await i18n.changeLanguage('en')
  storage.forgetMember(mai.id)
  storage.write('pushMember', undefined)
  removePush()
  vi.unstubAllGlobals()
})

const sent = () => server.sent.filter(({ route }) => route === ADD).map(({ body }) => body)

it('a subscription that the server has is not sent again', async () => {
  await keepPush(mai.id)
  expect(sent()).toHaveLength(1)
})

it('a subscription that the browser has replaced is sent again', async () => {
  push.subscription = push.newSubscription()
  await keepPush(mai.id)
  expect(sent().at(-1)).toMatchObject({ endpoint: push.subscription?.endpoint, language: 'en' })
})

it('a new sign-in sends the subscription again', async () => {
  storage.endSignIns()
  await keepPush(mai.id)
  expect(sent()).toHaveLength(2)
})

it.each<[string, () => unknown]>([
  ['a new sign-in', () => storage.endSignIns()],
  ['another language', () => i18n.changeLanguage('vi')],
])('a subscription that another device has removed is ended by %s', async (_, happens) => {
  server = serve({ [ADD]: () => json(SETTINGS), [READ]: () => json(REMOVED) })
  await happens()
  await keepPush(mai.id)
  expect(sent()).toEqual([])
  expect(push.subscription).toBeNull()
  expect(storage.read('pushMember')).toBeUndefined()
})

it('a subscription that has replaced a deleted one is sent', async () => {
  server = serve({ [ADD]: () => json(SETTINGS), [READ]: () => json(REMOVED) })
  storage.endSignIns()
  push.subscription = push.newSubscription()
  await keepPush(mai.id)
  expect(sent()).toMatchObject([{ endpoint: push.subscription?.endpoint }])
})

it('another language is sent', async () => {
  await i18n.changeLanguage('vi')
  await keepPush(mai.id)
  expect(sent().at(-1)).toMatchObject({ language: 'vi' })
})

it('a lost request is sent again the next time', async () => {
  push.subscription = push.newSubscription()
  server = serve({ [ADD]: lost })
  await expect(keepPush(mai.id)).rejects.toThrow()
  server = serve({ [ADD]: () => json(SETTINGS) })
  await keepPush(mai.id)
  expect(sent()).toHaveLength(1)
})

it('the subscription of another member is ended', async () => {
  await keepPush(mai.id + 1)
  expect(push.subscription).toBeNull()
  expect(sent()).toHaveLength(1)
})

it('a subscription that the app has not made is kept', async () => {
  storage.write('pushMember', undefined)
  await keepPush(mai.id)
  expect(push.subscription).not.toBeNull()
  expect(sent()).toHaveLength(1)
})

it('a sign-out ends the subscription without an answer of the server', async () => {
  server = serve({})
  await endPush()
  expect(push.subscription).toBeNull()
  expect(storage.read('pushMember')).toBeUndefined()
  expect(server.sent).toEqual([])
})

it('a pressed notification opens its screen, unless the page holds back a reload', () => {
  window.history.replaceState(null, '', '/account?view=security')
  startPush()
  const press = () =>
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open: '/mine' } }))
  const holdBack = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', holdBack)
  press()
  expect(window.location.pathname).toBe('/account')
  window.removeEventListener('beforeunload', holdBack)
  press()
  expect(window.location.pathname).toBe('/mine')
})
