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
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { openSocketCount, useJourney } from '#client/e2e/testing/journey.ts'

const NEW_PASSWORD = 'A better horse 2'

describe('password reset', () => {
  const journey = useJourney()
  const eve = identity('eve')
  let elsewhere: Page
  let page: Page

  /** Moves the last code back, past the minute that a second code for one e-mail has to wait. */
  const skipResendDelay = () =>
    journey.product.db.raw(`update email_codes set "createdAt" = now() - interval '1 minute'`)

  it('a reset code is requested while the member is signed in elsewhere', async () => {
    await journey.visitor().register(eve)
    await skipResendDelay()
    elsewhere = await openAs(journey, eve.username, '/mine')
    expect(openSocketCount(elsewhere)).toBe(1)

    page = await journey.open('/auth')
    await page.getByRole('link', { name: 'Forgot password' }).click()
    await page.waitForURL('/reset-password')
    await expect
      .poll(() => page.getByRole('tab', { name: 'Reset Password' }).isDisabled())
      .toBe(true)
    await expectAccessible(page)
    await field(page, 'Email').fill(eve.email)
    await button(page, 'Send Reset Instructions').click()
    await seeToast(
      page,
      'If your email is registered, you will receive password reset instructions',
    )
  })

  it('the mailed code sets a new password', async () => {
    await field(page, 'OTP code').fill(await journey.mailbox.codeFor(eve.email))
    await field(page, 'New password').fill(NEW_PASSWORD)
    await field(page, 'Confirm password').fill(NEW_PASSWORD)
    await expectAccessible(page)
    // On a busy machine the toast is seen late, so the time runs from the answer.
    const answered = page
      .waitForResponse((one) => one.request().method() === 'POST')
      .then(() => Date.now())
    await button(page, 'Reset Password').click()
    await seeToast(page, 'You can now log in with your new password')
    await page.waitForURL('/auth')
    expect(Date.now() - (await answered)).toBeGreaterThan(1_000)
  })

  it('a reset ends the sign-in and the socket of another browser', async () => {
    await elsewhere.waitForURL('/auth')
    await button(elsewhere, 'Login', true).waitFor()
    await expect.poll(() => openSocketCount(elsewhere)).toBe(0)
  })

  it('the old password is rejected, the new one accepted', async () => {
    journey.allow(/status of 401 .*\/api\/login$/)
    await signIn(page, eve.username, eve.password)
    await shownToast(page).getByText('Login failed', { exact: true }).waitFor()
    await signIn(page, eve.username, NEW_PASSWORD)
    await page.waitForURL('/mine')
    await seeToast(page, 'Login successful', 'Welcome back, eve!')
    await connection(page, 'Live').waitFor()
  })
})
