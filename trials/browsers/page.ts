import { until } from '#trials/kit/until'

export const SCREEN = { width: 390, height: 844 }

/** Paths of W3C WebDriver below its session, by the names of Marionette. */
export const COMMANDS = {
  Navigate: 'url',
  ExecuteScript: 'execute/sync',
  ElementClick: 'element/{id}/click',
  ElementClear: 'element/{id}/clear',
  ElementSendKeys: 'element/{id}/value',
  SetWindowRect: 'window/rect',
}

export type Driver = {
  /** @throws {Error} with the browser's words */
  send(command: keyof typeof COMMANDS, parameters: object): Promise<unknown>
  /** PNG of `SCREEN`. */
  picture(): Promise<Buffer>
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/**
 * Finds what is shown with this name, as a screen reader would say it, or that begins with this line. WebKit neither
 * presses nor clears what is outside the window; the navigation may cover its edge.
 */
const FIND = `
  const [selector, name] = arguments
  const nameOf = (one) => one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText
  const found = [...document.querySelectorAll(selector)].find(
    (one) => nameOf(one).trim().split('\\n')[0] === name && !one.disabled && one.ariaDisabled !== 'true' &&
      one.checkVisibility(),
  )
  const { top, bottom } = found?.getBoundingClientRect() ?? {}
  if (top < 0 || bottom > innerHeight) found.scrollIntoView({ block: 'center' })
  return found ?? null`

/** Used as a member does: by the names on the screen. */
export class Page {
  constructor(private readonly driver: Driver) {}

  /** `script` is the body of a function. */
  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    return (await this.driver.send('ExecuteScript', { script, args })) as T
  }

  async open(url: string): Promise<void> {
    await this.driver.send('Navigate', { url })
  }

  /** Presses a button, link, tab, switch or menu item. A click that is not accepted is repeated. */
  async press(name: string): Promise<void> {
    await until(`${name} can be pressed`, async () => {
      const id = await this.find('button, a, [role=tab], [role^=menuitem]', name)
      await this.driver.send('ElementClick', { id })
      return true
    })
  }

  /** Replaces the content of a field, until it is there. */
  async fill(label: string, text: string): Promise<void> {
    await until(`${label} can be filled`, async () => {
      const id = await this.find('input', label)
      await this.driver.send('ElementClear', { id })
      await this.driver.send('ElementSendKeys', { id, text })
      return (await this.run('return arguments[0].value', { [ELEMENT]: id })) === text
    })
  }

  async type(label: string, text: string): Promise<void> {
    await until(`${label} takes ${text}`, async () => {
      const id = await this.find('input:focus', label)
      await this.driver.send('ElementSendKeys', { id, text })
      return true
    })
  }

  text(): Promise<string> {
    return this.run(`return document.body.innerText.replace(/\\s+/g, ' ')`)
  }

  async see(...texts: string[]): Promise<void> {
    for (const text of texts)
      await until(`“${text}” is shown`, async () => (await this.text()).includes(text))
  }

  private async find(selector: string, name: string): Promise<string> {
    const found = await this.run<Record<string, string> | null>(FIND, selector, name)
    const id = found?.[ELEMENT]
    if (!id) throw new Error(`nothing is shown with the name ${name}`)
    return id
  }
}
