import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page, WebSocket } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { setClockSpeed } from '#db/postgres/product-clock'
import { type Product, startProduct } from '#gateway/testing/product'
import { Visitor } from '#gateway/testing/visitor'
import { launchChromium } from '#scripts/browser/chromium'
import { ROOT } from '#scripts/process/root'
import { type Mailbox, openMailbox } from './mailbox.ts'

/** Without a GPU whatever moves costs the time of a processor; journeys that want it say so. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  reducedMotion: 'reduce',
}
const STEP_LIMIT_MS = 20_000
/** Pictures of the pages go here: of a failed step always, of each step where the folder is given. */
const PICTURES = process.env.E2E_PICTURES

/** Who is signed in is asked first; Chromium reports the answer of a visitor as an error. */
const ALWAYS_FINE = [/status of 401 .*\/api\/user$/]

/** Keeps each toast that is shown, for journeys that count them. */
const KEEP_TOASTS = `
  window.shownToasts = []
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLLIElement && node.closest('[role=region]'))
        window.shownToasts.push(node.textContent)
    }
  }).observe(document, { childList: true, subtree: true })`

const sockets = new WeakMap<Page, WebSocket[]>()

/** How many live connections a page has open. */
export function openSockets(page: Page): number {
  return (sockets.get(page) ?? []).filter((socket) => !socket.isClosed()).length
}

function watchSockets(page: Page): void {
  const known: WebSocket[] = []
  sockets.set(page, known)
  page.on('websocket', (socket) => known.push(socket))
  // A page that is left takes its sockets along, without a word.
  page.on('request', (request) => {
    if (request.isNavigationRequest()) known.length = 0
  })
}

/** A whole product with a mail server, and the browsers of those who use it. */
export type Journey = {
  product: Product
  mailbox: Mailbox
  url: string
  /** A device of its own at that address. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>
  /** Another tab of the same browser. */
  openTab(page: Page, address: string): Promise<Page>
  /** Somebody who does without a browser; they know the product by these addresses. */
  visitor(product?: Product): Visitor
  /** Errors in a page's console that this journey causes on purpose. */
  allow(...errors: RegExp[]): void
}

class MailReader extends Visitor {
  constructor(
    product: Product,
    private readonly mailbox: Mailbox,
  ) {
    super(product)
  }

  override codeOf(email: string): Promise<string> {
    return this.mailbox.codeFor(email)
  }
}

/** What pages report as an error and nobody has allowed. */
class Errors {
  private allowed = [...ALWAYS_FINE]
  private reported: string[] = []

  allow(errors: RegExp[]): void {
    this.allowed.push(...errors)
  }

  report(error: string): void {
    this.reported.push(error)
  }

  check(): void {
    const unexpected = this.reported.filter((one) => !this.allowed.some((fine) => fine.test(one)))
    this.reported = []
    if (unexpected.length > 0) throw new Error(`Unexpected in a console:\n${unexpected.join('\n')}`)
  }
}

async function takePictures(browser: Browser, name: string, folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true })
  const pages = browser.contexts().flatMap((context) => context.pages())
  for (const [index, page] of pages.entries()) {
    const file = path.join(folder, `${name.replace(/\W+/g, '-')}-${index + 1}.png`)
    await page.screenshot({ path: file, timeout: 5_000 }).catch(() => {})
  }
}

/**
 * Sets up one journey for a test file; its steps follow one another, and after one that failed the
 * others are skipped.
 */
export function useJourney(
  env: Record<string, string> = {},
  { gateways = 1 }: { gateways?: number } = {},
): Journey {
  const journey = {} as Journey
  const errors = new Errors()
  let browser: Browser
  let failed = false

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ ...PHONE, baseURL: journey.url, ...options })
    context.setDefaultTimeout(STEP_LIMIT_MS)
    context.on('weberror', (error) => errors.report(error.error().stack ?? String(error.error())))
    context.on('console', (message) => {
      if (message.type() === 'error') errors.report(`${message.text()} ${message.location().url}`)
    })
    context.on('page', watchSockets)
    await context.addInitScript(KEEP_TOASTS)
    const page = await context.newPage()
    await page.goto(address)
    return page
  }

  beforeAll(async () => {
    const mailbox = await openMailbox()
    const product = await startProduct({
      gateways,
      workers: true,
      clientRoot: path.join(ROOT, 'dist/client'),
      env: { SMTP_URL: mailbox.smtpUrl, ...env },
    })
    const { clockSpeed = 1 } = product.config
    await setClockSpeed(product.db, clockSpeed)
    browser = await launchChromium()
    Object.assign(journey, {
      product,
      mailbox,
      url: product.urls[0] ?? '',
      open,
      async openTab(page: Page, address: string) {
        const tab = await page.context().newPage()
        await tab.goto(address)
        return tab
      },
      visitor: (known = product) => new MailReader(known, mailbox),
      allow: (...patterns: RegExp[]) => errors.allow(patterns),
    } satisfies Journey)
  })

  beforeEach((context) => context.skip(failed, 'an earlier step failed'))

  afterEach(async ({ task }) => {
    failed ||= task.result?.state === 'fail'
    const folder = PICTURES ?? (failed ? path.join(os.tmpdir(), 'tesp-e2e') : undefined)
    if (folder && task.result?.state !== 'skip') await takePictures(browser, task.name, folder)
    errors.check()
  })

  afterAll(async () => {
    await browser?.close()
    await journey.product?.close()
    await journey.mailbox?.close()
  })

  return journey
}
