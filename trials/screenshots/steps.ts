import type { Page } from 'playwright-core'

export type Act = (page: Page) => Promise<void>

export const inOrder =
  (...acts: Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page)
  }

export const press =
  (selector: string, nth = 0): Act =>
  async (page) => {
    await page.locator(selector).nth(nth).click()
  }

export const openTab = (nth: number): Act => press('main [role=tab]', nth)

export const see =
  (selector: string): Act =>
  async (page) => {
    await page.locator(selector).first().waitFor()
  }

/** `nth` is the position of the button; `within` narrows the search. */
export const openDialog = (nth: number, within = ''): Act =>
  inOrder(press(`main ${within} [aria-haspopup=dialog]`, nth), see('[role=dialog]'))

export const fill =
  (values: Record<string, string>): Act =>
  async (page) => {
    for (const [name, value] of Object.entries(values)) {
      await page.locator(`[name=${name}]`).fill(value)
    }
  }

export const fillFirst =
  (text: string): Act =>
  async (page) => {
    await page.locator('main form input').first().fill(text)
  }

/** Scrolls an element to the middle, clear of the navigation. */
export const scrollTo =
  (selector: string, nth = 0): Act =>
  async (page) => {
    const element = `document.querySelectorAll('${selector}')[${nth}]`
    await page.evaluate(`${element}.scrollIntoView({ block: 'center' })`)
  }

export const submit: Act = press('main form button[type=submit]')

export const chooseJson =
  (content: unknown): Act =>
  async (page) => {
    const buffer = Buffer.from(JSON.stringify(content))
    const file = { name: 'proof.json', mimeType: 'application/json', buffer }
    await page.locator('main input[type=file]').setInputFiles(file)
  }

export const seeToast: Act = see('ol li[data-state=open]')

/** Waits until the field with this name has a checked value. */
export const seeChecked =
  (name: string): Act =>
  async (page) => {
    const note = await page.locator(`[name=${name}]`).getAttribute('aria-describedby')
    await page.locator(`[id="${note}"].text-mint`).waitFor()
  }

export const goOffline: Act = async (page) => {
  await page.context().setOffline(true)
  await page.locator('header .text-coral').waitFor()
}

/** Opens the page again as in the session of the first Start on this device. */
export const inFirstSession: Act = async (page) => {
  await page.evaluate(`(async () => {
    const [member, mining] = await Promise.all(
      ['/api/user', '/api/mining/status'].map(async (url) => (await fetch(url)).json()),
    )
    localStorage.setItem('pushOffer:' + member.id, mining.session.id)
  })()`)
  await page.reload()
}
