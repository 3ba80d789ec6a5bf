import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  button,
  connection,
  identity,
  openAccountView,
  panel,
  seeToast,
  signInByApi,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import {
  pressNotification,
  pushTo,
  recordNotifications,
  shownNotifications,
  useSubscription,
} from '#client/e2e/testing/push.ts'
import { productNow } from '#db/postgres/connection/product-clock'
import { insertFinished } from '#scripts/testing/db/reminders'
import { type PushService, pushService } from '#scripts/testing/workers/push-service'

describe('reminders', () => {
  const journey = useJourney({ PUSH_PRIVATE_ENDPOINTS: 'on' }, { serviceWorker: true })
  const rosa = identity('rosa')
  let service: PushService
  let page: Page
  let memberId: number

  beforeAll(async () => {
    service = await pushService()
  })
  afterAll(() => service.close())

  const db = () => journey.product.db
  const switchOf = (name: string) => panel(page, 'Reminders').getByRole('switch', { name })
  const endSession = async () => {
    const [id] = await insertFinished(db(), [memberId], await productNow(db()))
    return `session-${id}`
  }

  it('reminders are off for a new member, and the panel is accessible', async () => {
    memberId = (await journey.visitor().register(rosa)).id
    page = await journey.open('about:blank', { locale: 'en-US' })
    await signInByApi(journey, page, rosa.username)
    await page.goto('/mine')
    await connection(page, 'Live').waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await useSubscription(page, service.subscribe())
    await page.goto('/account?view=notifications')
    await panel(page, 'Reminders').waitFor()
    expect(await switchOf('Email').isChecked()).toBe(false)
    expect(await switchOf('Notification on this device').isChecked()).toBe(false)
    await expectAccessible(page)
  })

  it('both channels are switched on and stay on after a reload', async () => {
    await switchOf('Email').click()
    await seeToast(page, 'You will be reminded by email')
    await switchOf('Notification on this device').click()
    await seeToast(page, 'This device will remind you')
    await page.reload()
    await expect.poll(() => switchOf('Email').isChecked()).toBe(true)
    await expect.poll(() => switchOf('Notification on this device').isChecked()).toBe(true)
    await expectAccessible(page)
  })

  it('the end of a session sends one push message, which the service worker shows once', async () => {
    const tag = await endSession()
    await expect.poll(() => service.deliveries.length).toBe(1)
    const payload = service.deliveries[0]?.payload ?? {}
    expect(payload).toMatchObject({ tag, title: 'Your 24 hours are over' })
    const deliver = await pushTo(page)
    await recordNotifications(page)
    await deliver(payload)
    const shown = [{ title: 'Your 24 hours are over', tag, renotify: false }]
    await expect.poll(() => shownNotifications(page)).toEqual(shown)
    await deliver(payload)
    await expect.poll(() => shownNotifications(page)).toEqual(shown)
  })

  it('a pressed notification opens Mine in the open tab', async () => {
    await pressNotification(page, '/mine')
    await page.waitForURL('/mine')
    await connection(page, 'Live').waitFor()
  })

  it('the link in the mail stops the mails without a sign-in', async () => {
    const token = await journey.mailbox.find(rosa.email, /unsubscribe\?token=([\w.-]+)/)
    const stranger = await journey.open(`/unsubscribe?token=${token}`, { locale: 'en-US' })
    await expectAccessible(stranger)
    await button(stranger, 'Stop reminders').click()
    await stranger.getByRole('heading', { name: 'Reminders by mail are off' }).waitFor()
    await openAccountView(page, rosa, 'notifications')
    await expect.poll(() => switchOf('Email').isChecked()).toBe(false)
  })

  it('a logout removes the device', async () => {
    await button(page, 'rosa').click()
    await page.getByRole('menuitem', { name: 'Logout', exact: true }).click()
    await page.waitForURL('/auth')
    await expect.poll(() => db()('push_subscriptions').where({ userId: memberId })).toEqual([])
    const stored = () =>
      page.evaluate(`[sessionStorage['test-subscription'], localStorage.pushMember]`)
    await expect.poll(stored).toEqual([undefined, undefined])
  })
})
