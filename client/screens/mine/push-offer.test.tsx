import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { thisDeviceAtom } from '#client/screens/account/reminder-commands.ts'
import { queriesSettled } from '#client/screens/testing/queries.ts'
import { type FakePush, installPush, PUSH_KEY, removePush } from '#client/testing/fake-push.ts'
import { anActiveStatus, anIdleStatus, aUser, aWallet, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { clearToast, toastAtom } from '#client/ui/toasts/toast.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import { startMining } from './mining-commands.ts'
import { openMine } from './testing/open-mine.tsx'

const mai = aUser()
const NEW: ReminderSettings = {
  mail: false,
  team: { on: false, inviter: null, blocked: false },
  kinds: null,
  pushKey: PUSH_KEY,
  devices: [],
}
const HERE = {
  id: 1,
  device: 'Firefox on Linux',
  addedAt: new Date(NOW).toISOString(),
  current: true,
}
const started = anActiveStatus({ asOf: NOW + 1_000 })
let push: FakePush
let server: ReturnType<typeof serve>
let isOffline = false

function open(settings: ReminderSettings, status = anIdleStatus()) {
  startAs(mai)
  const answer = () => (isOffline ? lost() : json({ ...settings, kinds: [] }))
  server = serve({
    'GET /api/reminders': () => json(settings),
    'POST /api/reminders/kinds': answer,
    'POST /api/reminders/push': () => json({ ...settings, devices: [HERE] }),
    'POST /api/mining/start': () => json(started),
    'GET /api/mining/status': () => json(started),
  })
  openMine(status)
}
const start = async () => {
  await act(async () => {
    await startMining()
    receiveSnapshot('/api/mining/status', started)
    await import('./push-offer-card.tsx')
    await queriesSettled()
  })
}
const question = () =>
  screen.queryByRole('heading', { name: 'Shall we tell you when the 24 hours are over?' })
const press = (name: string) =>
  userEvent.setup({ delay: null }).click(screen.getByRole('button', { name }))

beforeEach(() => {
  localStorage.clear()
  isOffline = false
  push = installPush()
  store.set(thisDeviceAtom, undefined)
})
afterEach(() => {
  act(() => clearToast())
  storage.write('pushMember', undefined)
  removePush()
  vi.unstubAllGlobals()
})

it('notifications are offered after the first Start, and not before', async () => {
  open(NEW)
  receiveSnapshot('/api/wallet', aWallet('0'))
  await screen.findByRole('region', { name: /^First steps/ })
  await waitFor(() => expect(server.count('GET /api/reminders')).toBe(1))
  await queriesSettled()
  expect(question()).toBeNull()
  await start()
  await waitFor(() => expect(question()).not.toBeNull())
  expect(push.asked).toBe(0)
  // The first steps on the same screen had read them.
  expect(server.count('GET /api/reminders')).toBe(1)
})

it('a no is remembered on the device, without an answer, and sent to the server', async () => {
  open(NEW)
  await start()
  await waitFor(() => expect(question()).not.toBeNull())
  isOffline = true
  await press('No, thanks')
  expect(question()).toBeNull()
  expect(server.sent.filter(({ route }) => route === 'POST /api/reminders/kinds')).toMatchObject([
    { body: { kind: 'session', on: false } },
  ])
  expect(storage.readFor(mai.id, 'pushOffer')).toBe('answered')
  await start()
  expect(question()).toBeNull()
  expect(push.asked).toBe(0)
})

it.each(['No, thanks', 'Notify me'])('"%s" by key leaves the focus on the page', async (answer) => {
  open(NEW)
  await start()
  const button = await screen.findByRole('button', { name: answer })
  act(() => button.focus())
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(question()).toBeNull())
  expect(document.activeElement?.id).toBe('main')
})

it('a yes that is blocked in the browser leaves the focus on the page', async () => {
  open(NEW)
  push.answer = 'denied'
  await start()
  const button = await screen.findByRole('button', { name: 'Notify me' })
  act(() => button.focus())
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(question()).toBeNull())
  expect(document.activeElement?.id).toBe('main')
})

it('a yes asks the browser and switches the end of sessions on', async () => {
  open(NEW)
  await start()
  await waitFor(() => expect(question()).not.toBeNull())
  await press('Notify me')
  await waitFor(() => expect(question()).toBeNull())
  expect(push.asked).toBe(1)
  expect(server.sent.filter(({ route }) => route === 'POST /api/reminders/kinds')).toMatchObject([
    { body: { kind: 'session', on: true } },
  ])
})

it('a yes whose second request is lost has switched the end of sessions on', async () => {
  open(NEW)
  await start()
  await waitFor(() => expect(question()).not.toBeNull())
  isOffline = true
  await press('Notify me')
  await waitFor(() => expect(question()).toBeNull())
  expect(store.get(toastAtom)?.title).toBe('Notification switched on')
  expect(storage.readFor(mai.id, 'pushOffer')).toBe('answered')
})

it.each<[string, ReminderSettings]>([
  ['said no on another device', { ...NEW, kinds: [] }],
  ['has a server without keys', { ...NEW, pushKey: null }],
])('a member who %s is not asked', async (_, settings) => {
  open(settings)
  await start()
  expect(question()).toBeNull()
})

it('a browser that cannot show notifications is not asked', async () => {
  removePush()
  open(NEW)
  await start()
  expect(question()).toBeNull()
})

it('a later session is not asked about again', async () => {
  storage.writeFor(mai.id, 'pushOffer', 1)
  open(NEW, anActiveStatus())
  await queriesSettled()
  expect(question()).toBeNull()
})
