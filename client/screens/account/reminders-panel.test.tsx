import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { appInfoAtom } from '#client/data/app-info.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { queriesNotified } from '#client/screens/testing/queries.ts'
import {
  FakePush,
  installPush,
  OTHER_KEY,
  PUSH_KEY,
  removePush,
} from '#client/testing/fake-push.ts'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import type { PushDevice, ReminderSettings } from '#rules/members/account-snapshots'
import { PUSH_KINDS, type PushKind } from '#rules/members/reminders'
import { chosenKinds, thisDeviceAtom } from './reminder-commands.ts'
import { RemindersPanel } from './reminders-panel.tsx'

const mai = aUser()
const addedAt = new Date(NOW).toISOString()
const here: PushDevice = { id: 1, device: 'Firefox on Linux', addedAt, current: true }
const phone: PushDevice = { id: 2, device: 'Safari on iPhone', addedAt, current: false }
const OFF: ReminderSettings = {
  mail: false,
  team: { on: false, inviter: 'linh', blocked: false },
  kinds: null,
  pushKey: PUSH_KEY,
  devices: [],
}

let push: FakePush
beforeEach(() => {
  startAs(mai)
  push = installPush()
  store.set(thisDeviceAtom, undefined)
})
afterEach(() => {
  act(() => clearToast())
  storage.forgetMember(mai.id)
  storage.write('pushMember', undefined)
  removePush()
  vi.unstubAllGlobals()
  push = new FakePush()
})

const byMail = () => screen.findByRole<HTMLButtonElement>('switch', { name: 'Email' })
const device = () =>
  screen.findByRole<HTMLButtonElement>('switch', { name: 'Notification on this device' })
const isOn = (element: HTMLElement) => element.getAttribute('aria-checked') === 'true'

/** The panel with a server that keeps the settings. */
function open(initial: Partial<ReminderSettings> = {}, handlers: Handlers = {}) {
  let settings: ReminderSettings = { ...OFF, ...initial }
  const change = (next: Partial<ReminderSettings>) => {
    settings = { ...settings, ...next }
    return json(settings)
  }
  const server = serve({
    'GET /api/app': json({ flags: ['kyc'], minimumVersion: null, taskLinks: {} }),
    'GET /api/reminders': () => json(settings),
    'POST /api/reminders/mail': ({ body }) => change({ mail: (body as { on: boolean }).on }),
    'POST /api/reminders/kinds': ({ body }) => {
      const { kind, on } = body as { kind: PushKind; on: boolean }
      const others = chosenKinds(settings).filter((one) => one !== kind)
      return change({ kinds: on ? [...others, kind] : others })
    },
    'POST /api/reminders/team': ({ body }) =>
      change({ team: { ...settings.team, on: (body as { on: boolean }).on } }),
    'POST /api/reminders/team/block': ({ body }) =>
      change({ team: { ...settings.team, ...(body as { blocked: boolean }) } }),
    'POST /api/reminders/push': () => change({ devices: [here, ...settings.devices] }),
    'POST /api/reminders/push/remove': ({ body }) => {
      const { deviceId } = body as { deviceId: number }
      return change({ devices: settings.devices.filter(({ id }) => id !== deviceId) })
    },
    ...handlers,
  })
  show(<RemindersPanel user={mai} />)
  const sentTo = (route: string) =>
    server.sent.filter((sent) => sent.route === route).map(({ body }) => body)
  return { user: userEvent.setup({ delay: null }), sentTo }
}

describe('reminders by the inviter', () => {
  const byTeam = () => screen.findByRole<HTMLButtonElement>('switch', { name: 'Team reminders' })

  it('they are off at first, name the inviter, and are switched on', async () => {
    const { user, sentTo } = open()
    expect(isOn(await byTeam())).toBe(false)
    expect(screen.getByText(/^linh, who invited you, can remind you to mine/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /linh/ })).toBeNull()
    await user.click(await byTeam())
    await findToast('Your inviter can remind you')
    expect(isOn(await byTeam())).toBe(true)
    expect(sentTo('POST /api/reminders/team')).toEqual([{ on: true, language: 'en' }])
  })

  it('the inviter is blocked and allowed again', async () => {
    const { user, sentTo } = open({ team: { on: true, inviter: 'linh', blocked: false } })
    await user.click(await screen.findByRole('button', { name: 'No more from linh' }))
    await findToast('No more reminders from linh')
    expect(screen.getByText('Reminders from linh are blocked.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Allow linh again' }))
    await findToast('Reminders from linh are allowed again')
    expect(sentTo('POST /api/reminders/team/block')).toEqual([
      { blocked: true, language: 'en' },
      { blocked: false, language: 'en' },
    ])
  })

  it('a refused change leaves the switch as it is and says why', async () => {
    const { user } = open({}, { 'POST /api/reminders/team': lost })
    await user.click(await byTeam())
    await findToast('Your reminders were not changed')
    expect(isOn(await byTeam())).toBe(false)
  })

  it('a member without an inviter reads who could remind them', async () => {
    open({ team: { on: false, inviter: null, blocked: false } })
    expect(await screen.findByText(/^The member who invited you can remind you/)).toBeTruthy()
  })
})

describe('reminders by mail', () => {
  it('reminders by mail are off at first, and are switched on and off', async () => {
    const { user, sentTo } = open()
    expect(isOn(await byMail())).toBe(false)
    await user.click(await byMail())
    await findToast('You will be reminded by email')
    expect(isOn(await byMail())).toBe(true)
    await user.click(await byMail())
    await waitFor(async () => expect(isOn(await byMail())).toBe(false))
    expect(sentTo('POST /api/reminders/mail')).toEqual([
      { on: true, language: 'en' },
      { on: false, language: 'en' },
    ])
  })

  it('a change that fails is reported and not shown', async () => {
    const { user } = open({}, { 'POST /api/reminders/mail': lost })
    await user.click(await byMail())
    await findToast('Your reminders were not changed')
    expect(isOn(await byMail())).toBe(false)
  })
})

describe('notifications on this device', () => {
  it('the permission is asked for when the switch is pressed, not before', async () => {
    const { user, sentTo } = open()
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    expect(push.asked).toBe(0)
    await user.click(await device())
    await findToast('This device will remind you')
    expect(push.asked).toBe(1)
    expect(isOn(await device())).toBe(true)
    expect(sentTo('POST /api/reminders/push')).toMatchObject([
      { endpoint: push.subscription?.endpoint, language: 'en' },
    ])
    expect(storage.read('pushMember')).toBe(mai.id)
  })

  it('switching off deletes the subscription in the browser and on the server', async () => {
    const { user, sentTo } = open()
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    await user.click(await device())
    await waitFor(async () => expect(isOn(await device())).toBe(true))
    await user.click(await device())
    await findToast('This device will not remind you any more')
    expect(sentTo('POST /api/reminders/push/remove')).toEqual([{ deviceId: 1 }])
    expect(push.subscription).toBeNull()
    expect(isOn(await device())).toBe(false)
  })

  it('a service worker that is registered after the page has loaded makes the switch usable', async () => {
    let register = () => {}
    installPush(
      new Promise((resolve) => {
        register = resolve
      }),
    )
    open()
    await act(queriesNotified)
    expect((await device()).disabled).toBe(true)
    expect(screen.queryByText(/^This browser cannot show notifications/)).toBeNull()
    register()
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
  })

  it('a refused permission is explained and the switch stays off', async () => {
    push.answer = 'denied'
    const { user, sentTo } = open()
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    await user.click(await device())
    await findToast('Your reminders were not changed')
    expect((await screen.findAllByText(/^Notifications are blocked\./)).length).toBeGreaterThan(0)
    expect(isOn(await device())).toBe(false)
    expect(sentTo('POST /api/reminders/push')).toEqual([])
  })

  it('a question that is closed is explained, and can be asked again', async () => {
    push.answer = 'default'
    const { user } = open()
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    await user.click(await device())
    await screen.findByText(/^You closed the question/)
    push.answer = 'granted'
    await user.click(await device())
    await waitFor(async () => expect(isOn(await device())).toBe(true))
  })

  it('a push service that does not answer is named', async () => {
    push.hasService = false
    const { user } = open()
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    await user.click(await device())
    await screen.findByText(/could not reach its notification service/)
  })

  it('a subscription that the server refuses is ended in the browser', async () => {
    const message = 'The push service of this browser cannot be used here'
    const { user } = open(
      {},
      {
        'POST /api/reminders/push': () => refusal(400, message, 'subscription_refused'),
      },
    )
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    await user.click(await device())
    await findToast('Your reminders were not changed')
    expect(push.subscription).toBeNull()
    expect(isOn(await device())).toBe(false)
  })

  it('a browser without notifications is named as the reason', async () => {
    removePush()
    open()
    await screen.findByText(/^This browser cannot show notifications\./)
    expect((await device()).disabled).toBe(true)
  })

  it('without keys on the server a text stands for the switch', async () => {
    open({ pushKey: null })
    await screen.findByText(/^Notifications are not set up on this server/)
    expect(screen.queryByRole('switch', { name: 'Notification on this device' })).toBeNull()
  })

  it('a subscription for another key of the server counts as off', async () => {
    push.permission = 'granted'
    push.subscription = push.newSubscription(OTHER_KEY)
    storage.write('pushMember', mai.id)
    const { user } = open({ devices: [here] })
    await waitFor(async () => expect(isDisabled(await device())).toBe(false))
    expect(isOn(await device())).toBe(false)
    await user.click(await device())
    await waitFor(async () => expect(isOn(await device())).toBe(true))
  })
})

describe('kinds of notifications', () => {
  const kind = (name: string) => screen.findByRole<HTMLButtonElement>('switch', { name })
  const NAMES = [
    'End of a session',
    'New team members',
    'Milestones',
    'Identity check',
    'New sign-ins',
    'Corrections',
    'Announcements',
  ]

  it('each kind has a switch, and all are off at first', async () => {
    open()
    expect(NAMES).toHaveLength(PUSH_KINDS.length)
    for (const name of NAMES) expect(isOn(await kind(name))).toBe(false)
  })

  it('identity checks are not offered while nobody can send a document', async () => {
    open({}, { 'GET /api/app': json({ flags: [], minimumVersion: null, taskLinks: {} }) })
    await kind('Milestones')
    await waitFor(() => expect(store.get(appInfoAtom).data?.flags).toEqual([]))
    expect(screen.queryByRole('switch', { name: 'Identity check' })).toBeNull()
  })

  it('the first kind that is switched on switches this device on with one press', async () => {
    const { user, sentTo } = open({ kinds: [] })
    await waitFor(async () => expect(isDisabled(await kind('Milestones'))).toBe(false))
    await user.click(await kind('Milestones'))
    await findToast('Notification switched on')
    expect(push.asked).toBe(1)
    expect(isOn(await kind('Milestones'))).toBe(true)
    expect(isOn(await device())).toBe(true)
    expect(sentTo('POST /api/reminders/kinds')).toEqual([
      { kind: 'milestone', on: true, language: 'en' },
    ])
  })

  it('a first kind whose choice is lost says that the device is on', async () => {
    const { user } = open({}, { 'POST /api/reminders/kinds': lost })
    await waitFor(async () => expect(isDisabled(await kind('Milestones'))).toBe(false))
    await user.click(await kind('Milestones'))
    await findToast('This device is on, but this notification may not be')
    expect(isOn(await device())).toBe(true)
    expect(isOn(await kind('Milestones'))).toBe(false)
  })

  it('a device of before shows the end of sessions, and says so when nothing is left', async () => {
    const { user } = open({ devices: [phone] })
    expect(isOn(await kind('End of a session'))).toBe(true)
    await user.click(await kind('End of a session'))
    await screen.findByText(/^Your devices show nothing until/)
    expect(push.asked).toBe(0)
  })

  it('a browser that cannot show them switches a kind of other devices only', async () => {
    removePush()
    open()
    await screen.findByText(/^This browser cannot show notifications\./)
    expect((await kind('Milestones')).disabled).toBe(true)
  })
})

it('other devices are listed and can be removed', async () => {
  const { user, sentTo } = open({ devices: [phone] })
  await user.click(await screen.findByRole('button', { name: 'Remove Safari on iPhone' }))
  await findToast('Device removed')
  expect(sentTo('POST /api/reminders/push/remove')).toEqual([{ deviceId: 2 }])
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Reminders' }))
})

it('settings that cannot be loaded can be read again', async () => {
  let isLost = true
  const { user } = open({}, { 'GET /api/reminders': () => (isLost ? lost() : json(OFF)) })
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  isLost = false
  await user.click(retry)
  await byMail()
})
