import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  field,
  identity,
  openAs,
  seeToast,
  shownToast,
  signIn,
} from './testing/actions.ts'
import { expectAccessible } from './testing/axe.ts'
import { openSockets, useJourney } from './testing/journey.ts'

const NEW_PASSWORD = 'A better horse 2'

describe('a forgotten password', () => {
  const journey = useJourney()
  const eve = identity('eve')
  let elsewhere: Page[]
  let page: Page

  /** Another code to the same address takes a minute, which nobody waits for here. */
  const letMinutePass = () =>
    journey.product.db.raw(`update email_codes set "createdAt" = now() - interval '1 minute'`)

  it('is asked for by a member who is signed in elsewhere', async () => {
    await journey.visitor().register(eve)
    await letMinutePass()
    const device = await openAs(journey, eve.username, '/mine')
    const tab = await journey.openTab(device, '/wallet')
    await connection(tab, 'Live').waitFor()
    elsewhere = [device, tab]
    expect(elsewhere.map(openSockets)).toEqual([1, 1])

    page = await journey.open('/auth')
    await page.getByRole('link', { name: 'Forgot password' }).click()
    await page.waitForURL('/reset-password')
    expect(await page.getByRole('tab', { name: 'Reset Password' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await field(page, 'Email').fill(eve.email)
    await button(page, 'Send Reset Instructions').click()
    await seeToast(
      page,
      'If your email is registered, you will receive password reset instructions',
    )
  })

  it('is replaced with the code from the mail', async () => {
    await field(page, 'OTP code').fill(await journey.mailbox.codeFor(eve.email))
    await field(page, 'New password').fill(NEW_PASSWORD)
    await field(page, 'Confirm password').fill(NEW_PASSWORD)
    await expectAccessible(page)
    await button(page, 'Reset Password').click()
    await seeToast(page, 'You can now log in with your new password')
    const since = Date.now()
    await page.waitForURL('/auth')
    expect(Date.now() - since).toBeGreaterThan(1_000)
  })

  it('ends every sign-in and every socket of the member', async () => {
    for (const other of elsewhere) {
      await other.waitForURL('/auth')
      await button(other, 'Login', true).waitFor()
      await expect.poll(() => openSockets(other)).toBe(0)
    }
  })

  it('is good for nothing any more, unlike the new one', async () => {
    journey.allow(/status of 401 .*\/api\/login$/)
    await signIn(page, eve.username, eve.password)
    await shownToast(page).getByText('Login failed', { exact: true }).waitFor()
    await signIn(page, eve.username, NEW_PASSWORD)
    await page.waitForURL('/mine')
    await seeToast(page, 'Login successful', 'Welcome back, eve!')
    await connection(page, 'Live').waitFor()
  })
})
