import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What takes the focus by itself, whether or not Tab reaches it; of some tabs only the selected one. */
const NATIVE =
  ':is(a[href], button, input, select, textarea, summary):not([role=tab][aria-selected=false], [aria-hidden=true])'

/** The controls that Tab should reach, in the order of the document. */
const CONTROLS = `[...document.querySelectorAll('${NATIVE}, [tabindex]:not([tabindex="-1"])')]
  .filter((one) => !one.matches(':disabled') && !one.closest('[inert]')
    && one.checkVisibility({ visibilityProperty: true }))`

const NAMES = `${CONTROLS}.map((one) => one.tagName.toLowerCase() + ' ' +
  (one.ariaLabel || one.textContent || one.name).trim().replace(/\\s+/g, ' ').slice(0, 40))`

const FOCUSED = `${CONTROLS}.indexOf(document.activeElement)`

/** What covers the focused control, such as the sticky header; empty if it can be seen. */
const COVERED_BY = `(() => {
  const one = document.activeElement
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  const isSeen = at && (one.contains(at) || at.contains(one) || one.labels?.[0]?.contains(at))
  return isSeen ? '' : (at?.outerHTML.slice(0, 80) ?? 'the edge of the window')
})()`

/** How long the focus may take to come to a button that gets its tooltip, or whose dialog closes, ms. */
const LIMIT_MS = 60_000

const becomes = (page: Page, expression: string): Promise<boolean> =>
  expect
    .poll(() => page.evaluate<boolean>(expression), { timeout: LIMIT_MS })
    .toBe(true)
    .then(
      () => true,
      () => false,
    )

/** Waits until no skeleton is on the page and its controls stay the same. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  let controls: string[] = []
  const isSettled = async () => {
    const before = controls
    controls = await page.evaluate<string[]>(NAMES)
    const skeletons = await page.locator('.animate-shimmer').count()
    return skeletons === 0 && controls.join() === before.join()
  }
  await expect.poll(isSettled, { interval: 250, timeout: LIMIT_MS }).toBe(true)
}

/**
 * Presses Tab from the start of the page through all its controls and lists what is wrong: controls that
 * are left out or come out of order, and ones that are covered while they have the focus.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  await settled(page)
  // The next Tab begins at the start of the document.
  await page.evaluate(`document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus();
    document.body.removeAttribute('tabindex'); scrollTo(0, 0)`)
  const controls = await page.evaluate<string[]>(NAMES)
  const faults: string[] = []
  for (const [place, name] of controls.entries()) {
    await page.keyboard.press('Tab')
    if (!(await becomes(page, `${FOCUSED} === ${place}`))) {
      const focused = await page.evaluate<number>(FOCUSED)
      return [...faults, `${name} does not get the focus; ${controls[focused] ?? 'nothing'} has it`]
    }
    const cover = await page.evaluate<string>(COVERED_BY)
    if (cover) faults.push(`${name} is covered by ${cover}`)
  }
  return faults
}

const OPENERS = 'main [aria-haspopup=dialog]:not(:disabled)'

const IS_IN_DIALOG = `document.activeElement.closest('[role=dialog]') !== null`

type Dialogs = { opened: string[]; faults: string[] }

/** Opens each dialog of the page with Enter, walks through it and closes it. */
export async function walkDialogs(page: Page): Promise<Dialogs> {
  const openers = page.locator(OPENERS)
  const opened: string[] = []
  const faults: string[] = []
  for (let at = 0; at < (await openers.count()); at++) {
    const opener = openers.nth(at)
    const name = (await opener.getAttribute('aria-label')) ?? (await opener.textContent())
    opened.push(name ?? '')
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('[role=dialog]')
    await dialog.waitFor()
    const controls = await dialog.locator('a[href], button, input, select').count()
    for (let presses = 0; presses <= controls; presses++) {
      const isInDialog = await becomes(page, IS_IN_DIALOG)
      if (!isInDialog) faults.push(`${name}: not in the dialog after ${presses} Tabs`)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const isBack = `document.querySelectorAll('${OPENERS}')[${at}] === document.activeElement`
    if (!(await becomes(page, isBack))) faults.push(`${name}: the focus did not return`)
  }
  return { opened, faults }
}
