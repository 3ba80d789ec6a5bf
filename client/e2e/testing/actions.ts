import type { Locator, Page, Route } from 'playwright-core'
import { PASSWORD } from '#scripts/testing/gateway/visitor'
import type { Journey } from './journey.ts'

/** Actions and locators of a member, by the names shown on screen. */

export type Identity = { username: string; email: string; password: string }

export function identity(username: string): Identity {
  return { username, email: `${username}@test.example`, password: PASSWORD }
}

export const button = (page: Page, name: string, exact = false) =>
  page.getByRole('button', { name, exact })

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/**
 * Answers the first request for files like this; later ones pass. The interception stays, because a request
 * can hang if an interception ends while a page loads, as by `times` and `unroute` (playwright#41802).
 */
export async function interceptFirst(
  page: Page,
  files: string,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  let isFirst = true
  await page.route(files, (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    return answer(route)
  })
}

export const shownToast = (page: Page) =>
  page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')

/** Waits for a toast with exactly these texts. */
export async function seeToast(page: Page, title: string, description?: string): Promise<void> {
  const shown = shownToast(page).filter({ has: page.getByText(title, { exact: true }) })
  await (description ? shown.getByText(description, { exact: true }) : shown).waitFor()
}

/** Closes the visible toast, unless it closes by itself meanwhile. */
export async function dismissToast(page: Page): Promise<void> {
  const shown = shownToast(page)
  await shown.waitFor()
  const click = shown.getByRole('button', { name: 'Dismiss' }).click()
  click.catch(() => {})
  await shown.waitFor({ state: 'detached' })
}

/** Number of toasts with this title since the page was loaded. */
export async function countToasts(page: Page, title: string): Promise<number> {
  const shown = await page.evaluate<string[]>('window.shownToasts')
  return shown.filter((text) => text.startsWith(title)).length
}

/** The value of a term in a definition list. */
export const figure = (page: Page, name: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
    .getByRole('definition')

export const panel = (page: Page, heading: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

/** The row of a token in the wallet. */
export const asset = (page: Page, token: 'TESP' | 'USDT'): Locator =>
  page.getByRole('region', { name: 'Assets' }).getByRole('listitem').filter({ hasText: token })

export const connection = (page: Page, state: 'Live' | 'Polling' | 'Offline') =>
  page.getByRole('status').filter({ hasText: `Connection: ${state}` })

export async function goTo(page: Page, name: 'Mine' | 'Wallet' | 'Tasks' | 'Team') {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: true })
    .click()
  await page.waitForURL(`/${name.toLowerCase()}`)
}

/** Opens a view of Account by the menu and its row, which load no page. */
export async function openAccountView(page: Page, { username }: Identity, view: string) {
  await button(page, `Account menu of ${username}`).click()
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
  await page.locator(`a[href="/account?view=${view}"]`).click()
  await page.waitForURL(`/account?view=${view}`)
}

/** Requests a code in the register form, reads it from the mailbox and enters it, which verifies it. */
export async function proveAddress(journey: Journey, page: Page, email: string): Promise<void> {
  await field(page, 'Email').fill(email)
  await button(page, 'Send OTP').click()
  // The answer clears the field and then moves the focus to it; the mail may arrive before.
  await field(page, 'OTP code').and(page.locator(':focus')).waitFor()
  await field(page, 'OTP code').fill(await journey.mailbox.codeFor(email))
  await page.getByText('Email address verified').waitFor()
}

/** Completes and submits the open register form. */
export async function register(journey: Journey, page: Page, who: Identity): Promise<void> {
  await field(page, 'Username').fill(who.username)
  await proveAddress(journey, page, who.email)
  await field(page, 'Password').fill(who.password)
  await field(page, 'Confirm password').fill(who.password)
  await button(page, 'Register', true).click()
  await page.waitForURL('/mine')
}

/** Waits until the code of a prerendered page that is used has been loaded. */
export const interactive = (page: Page) =>
  page.locator('#root:not([data-page])').waitFor({ state: 'attached' })

export async function signIn(page: Page, identifier: string, password = PASSWORD): Promise<void> {
  await field(page, 'Username or email').fill(identifier)
  await field(page, 'Password').fill(password)
  await button(page, 'Login', true).click()
}

/**
 * Signs in the browser context of a page without loading the sign-in page, which would take half of
 * the CPU time until the first screen. `signIn` is for journeys about signing in.
 */
export async function signInByApi(journey: Journey, page: Page, username: string): Promise<void> {
  const answer = await page.request.post(`${journey.url}/api/login`, {
    headers: { origin: journey.url },
    data: { identifier: username, password: PASSWORD },
  })
  if (!answer.ok()) throw new Error(`login of ${username}: ${answer.status()}`)
}

/** Opens a separate browser context, signed in and live at `path`. */
export async function openAs(journey: Journey, username: string, path: string): Promise<Page> {
  const page = await journey.open('about:blank')
  await signInByApi(journey, page, username)
  await page.goto(path)
  await connection(page, 'Live').waitFor()
  return page
}

/** The box of an element with its right and lower edge and its centre. */
export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('not on the screen')
  const { x, y, width, height } = box
  return { ...box, right: x + width, bottom: y + height, centre: x + width / 2 }
}

/** Presses the dial on the open screen Mine while its request is refused; answers the box of the toast. */
export async function refuseStart(journey: Journey, page: Page) {
  journey.allow(/status of 409 .*mining\/start/)
  await page.route('**/api/mining/start', (route) =>
    route.fulfill({ status: 409, json: { message: 'Refused for the test' } }),
  )
  await button(page, 'Start mining').click()
  await shownToast(page).getByText('Refused for the test').waitFor()
  return boxOf(shownToast(page))
}
