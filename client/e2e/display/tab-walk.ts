import type { Page } from 'playwright-core'

/** Numbers the controls that Tab should reach, in the order of the document, and returns their names. */
const NUMBER_CONTROLS = `(() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]')
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')]
    .filter((one) => one.tabIndex >= 0 && !one.matches(':disabled') && shown(one))
  for (const old of document.querySelectorAll('[data-walk]')) delete old.dataset.walk
  return controls.map((one, at) => {
    one.dataset.walk = at
    const name = one.ariaLabel || one.innerText || one.name || one.id
    return at + ' ' + one.tagName.toLowerCase() + ' ' + name.trim().replace(/\\s+/g, ' ').slice(0, 40)
  })
})()`

/** The number of the focused control; null if it has none, such as the body. */
const FOCUSED = `document.activeElement?.dataset.walk ?? null`

/** What covers the focused control, such as the sticky header; empty if it can be seen. */
const COVERED_BY = `(() => {
  const one = document.activeElement
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  const label = one.labels?.[0]
  const isSeen = at && (one.contains(at) || at.contains(one) || label?.contains(at))
  return isSeen ? '' : (at?.outerHTML.slice(0, 80) ?? 'outside the window')
})()`

/**
 * Presses Tab from the start of the page through all its controls and lists what is wrong: controls that
 * are left out or come out of order, and ones that are covered while they have the focus.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  await page.evaluate(`document.activeElement.blur(); getSelection().removeAllRanges()`)
  await page.evaluate('scrollTo(0, 0)')
  const controls = await page.evaluate<string[]>(NUMBER_CONTROLS)
  const faults: string[] = []
  for (const [at, name] of controls.entries()) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string | null>(FOCUSED)
    if (focused !== String(at)) {
      return [
        ...faults,
        `${name} is expected, ${controls[Number(focused ?? -1)] ?? 'nothing'} has the focus`,
      ]
    }
    const cover = await page.evaluate<string>(COVERED_BY)
    if (cover) faults.push(`${name} is covered by ${cover}`)
  }
  return faults
}

/** Opens each dialog of the page with Enter, walks through it and closes it; lists what is wrong. */
export async function dialogFaults(page: Page): Promise<string[]> {
  const openers = page.locator('main [aria-haspopup=dialog]:not(:disabled)')
  const faults: string[] = []
  for (let at = 0; at < (await openers.count()); at++) {
    const opener = openers.nth(at)
    const name = (await opener.getAttribute('aria-label')) ?? (await opener.textContent())
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('[role=dialog]')
    await dialog.waitFor()
    const isWithin = () => dialog.evaluate('(one) => one.contains(document.activeElement)')
    const controls = await dialog.locator('a[href], button, input, select').count()
    for (let presses = 0; presses <= controls; presses++) {
      if (!(await isWithin()))
        faults.push(`${name}: the focus left the dialog after ${presses} Tabs`)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    if (!(await opener.evaluate('(one) => one === document.activeElement'))) {
      faults.push(`${name}: the focus did not return`)
    }
  }
  return faults
}
