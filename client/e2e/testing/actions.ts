import type { Locator, Page } from 'playwright-core'
import { PASSWORD } from '#gateway/testing/visitor'
import type { Journey } from './journey.ts'

/** What a member does and sees, by the names that are on the screen. */

export type Identity = { username: string; email: string; password: string }

/** A person who may become a member. */
export function identity(username: string): Identity {
  return { username, email: `${username}@test.example`, password: PASSWORD }
}

export const button = (page: Page, name: string, exact = false) =>
  page.getByRole('button', { name, exact })

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** The notification that is shown. */
export const shownToast = (page: Page) =>
  page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

/** Waits for a notification, to the letter. */
export async function seeToast(page: Page, title: string, description?: string): Promise<void> {
  const shown = shownToast(page)
  await shown.getByText(title, { exact: true }).waitFor()
  if (description) await shown.getByText(description, { exact: true }).waitFor()
}

/** How often a notification was shown since the page was loaded. */
export async function countToasts(page: Page, title: string): Promise<number> {
  const shown = await page.evaluate<string[]>('window.shownToasts')
  return shown.filter((text) => text.startsWith(title)).length
}

/** The figure under or beside its name. */
export const figure = (page: Page, name: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
    .getByRole('definition')

/** The panel under that heading. */
export const panel = (page: Page, heading: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

/** The line of a token in the wallet. */
export const asset = (page: Page, token: 'TESP' | 'USDT'): Locator =>
  page.getByRole('region', { name: 'Assets' }).getByRole('listitem').filter({ hasText: token })

export const connection = (page: Page, state: 'Live' | 'Polling' | 'Offline') =>
  page.getByRole('status').filter({ hasText: `Connection: ${state}` })

/** Goes there by the navigation at the bottom. */
export async function goTo(page: Page, name: 'Mine' | 'Wallet' | 'Tasks' | 'Team') {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: true })
    .click()
  await page.waitForURL(`/${name.toLowerCase()}`)
}

/** Asks for a code by e-mail in the register form and fills it in. */
export async function proveAddress(journey: Journey, page: Page, email: string): Promise<void> {
  await field(page, 'Email').fill(email)
  await button(page, 'Send OTP').click()
  await field(page, 'OTP code').fill(await journey.mailbox.codeFor(email))
  await button(page, 'Verify', true).click()
  await page.getByText('E-mail address verified').waitFor()
}

/** Fills in the open register form and sends it. */
export async function register(journey: Journey, page: Page, who: Identity): Promise<void> {
  await field(page, 'Username').fill(who.username)
  await proveAddress(journey, page, who.email)
  await field(page, 'Password').fill(who.password)
  await field(page, 'Confirm password').fill(who.password)
  await button(page, 'Register', true).click()
  await page.waitForURL('/mine')
}

export async function signIn(page: Page, identifier: string, password = PASSWORD): Promise<void> {
  await field(page, 'Username or email').fill(identifier)
  await field(page, 'Password').fill(password)
  await button(page, 'Login', true).click()
}

/** Opens a device on which that member is signed in and live. */
export async function openAs(journey: Journey, username: string, address: string): Promise<Page> {
  const page = await journey.open(address)
  await signIn(page, username)
  await page.waitForURL(address)
  await connection(page, 'Live').waitFor()
  return page
}
