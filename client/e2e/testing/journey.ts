import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
  WebSocket,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { ROOT } from '#runtime/process/root'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { type BrowserOptions, sharedBrowser } from './shared-browser.ts'

/** Without a GPU animations cost CPU time, so journeys run with reduced motion by default. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  reducedMotion: 'reduce',
}
const STEP_LIMIT_MS = 60_000
/** Folder for screenshots of every step; failed steps are always captured, in the temp folder. */
const PICTURES = process.env.E2E_PICTURES

/** Routes without commands; `/api/tasks/complete` and its like are none of them. */
const READS =
  /\/api\/(user(\/(factors|sign-ins))?|mining\/status|inbox(\/state)?|wallet(\/[\w/]+)?|referral\/(info|mining|members)|tasks(\/completed)?|network|reminders|telegram)(\?|$)/

const ALWAYS_ALLOWED = [
  // A page whose sign-in has ended elsewhere asks once, and reads may be on their way then; Chromium logs
  // a 401 as an error.
  new RegExp(`status of 401 .*${READS.source}`),
  // A read that gets no connection on a busy machine; the page repeats it.
  new RegExp(`status of 503 .*${READS.source}`),
  // A container that starts on this machine adds a network, which interrupts what loads; a page that does
  // not load it again fails its step.
  /ERR_NETWORK_CHANGED/,
]

/** Records each toast, for journeys that count them. */
const RECORD_TOASTS = `
  window.shownToasts = []
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLLIElement && node.closest('[role=region]'))
        window.shownToasts.push(node.textContent)
    }
  }).observe(document, { childList: true, subtree: true })`

/**
 * In a new context the worker fetches and stores the whole app, a quarter of the CPU time of a short
 * journey. The page does without it, as in a browser that forbids it.
 */
export const REFUSE_SERVICE_WORKER = `
  if (self.ServiceWorkerContainer)
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error('no worker here'))`

const sockets = new WeakMap<Page, WebSocket[]>()

export function openSocketCount(page: Page): number {
  return (sockets.get(page) ?? []).filter((socket) => !socket.isClosed()).length
}

function watchSockets(page: Page): void {
  const opened: WebSocket[] = []
  sockets.set(page, opened)
  page.on('websocket', (socket) => opened.push(socket))
  // A navigation drops the sockets of a page without a close event.
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened.length = 0
  })
}

/** A running product with a mail server and browsers. */
export type Journey = {
  product: Product
  mailbox: Mailbox
  url: string
  /** Opens a separate browser context at a path. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Opens another tab of the same browser context. */
  openTab(page: Page, path: string): Promise<Page>
  /** An HTTP client without a browser; `product` chooses the gateway URLs. */
  visitor(product?: Product): Visitor
  /** Console errors that this journey provokes on purpose. */
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

/** Console errors and page errors; `check` throws on those that are not allowed. */
class Errors {
  private allowed = [...ALWAYS_ALLOWED]
  private reported: string[] = []

  allow(errors: RegExp[]): void {
    this.allowed.push(...errors)
  }

  report(error: string): void {
    this.reported.push(error)
  }

  check(): void {
    const unexpected = this.reported.filter(
      (one) => !this.allowed.some((pattern) => pattern.test(one)),
    )
    this.reported = []
    if (unexpected.length > 0)
      throw new Error(`Unexpected console errors:\n${unexpected.join('\n')}`)
  }
}

async function takePictures(
  contexts: Iterable<BrowserContext>,
  name: string,
  folder: string,
): Promise<void> {
  fs.mkdirSync(folder, { recursive: true })
  const pages = [...contexts].flatMap((context) => context.pages())
  for (const [index, page] of pages.entries()) {
    const file = path.join(folder, `${name.replace(/\W+/g, '-')}-${index + 1}.png`)
    await page.screenshot({ path: file, timeout: 5_000 }).catch(() => {})
  }
}

type JourneyOptions = BrowserOptions & {
  gateways?: number
  /** Whether pages install the service worker: push, a start without a network, cached files. */
  serviceWorker?: boolean
}

/**
 * Registers the set-up of one journey for a test file. Steps build on each other, so all steps after a
 * failed one are skipped.
 */
export function useJourney(
  env: Record<string, string> = {},
  { gateways = 1, serviceWorker = false, ...browserOptions }: JourneyOptions = {},
): Journey {
  const journey = {} as Journey
  const errors = new Errors()
  const contexts = new Set<BrowserContext>()
  let browser: Browser
  let failed = false

  async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ ...PHONE, baseURL: journey.url, ...options })
    contexts.add(context)
    context.once('close', () => contexts.delete(context))
    context.setDefaultTimeout(STEP_LIMIT_MS)
    context.on('weberror', (error) => errors.report(error.error().stack ?? String(error.error())))
    context.on('console', (message) => {
      if (message.type() === 'error') errors.report(`${message.text()} ${message.location().url}`)
    })
    context.on('page', watchSockets)
    await context.addInitScript(RECORD_TOASTS)
    if (!serviceWorker) await context.addInitScript(REFUSE_SERVICE_WORKER)
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  beforeAll(async () => {
    // Each is kept as soon as it runs: what follows may fail, and `afterAll` closes what is kept.
    const mailbox = await openMailbox()
    journey.mailbox = mailbox
    const product = await startProduct({
      gateways,
      workers: true,
      clientRoot: path.join(ROOT, 'dist/client'),
      env: { SMTP_URL: mailbox.smtpUrl, ...env },
    })
    journey.product = product
    const { clockSpeed = 1 } = product.config
    await setClockSpeed(product.db, clockSpeed)
    browser = await sharedBrowser(browserOptions)
    Object.assign(journey, {
      url: product.urls[0] ?? '',
      open,
      async openTab(page: Page, url: string) {
        const tab = await page.context().newPage()
        await tab.goto(url)
        return tab
      },
      visitor: (reached = product) => new MailReader(reached, mailbox),
      allow: (...patterns: RegExp[]) => errors.allow(patterns),
    } satisfies Omit<Journey, 'product' | 'mailbox'>)
  })

  beforeEach((context) => context.skip(failed, 'an earlier step failed'))

  afterEach(async ({ task }) => {
    failed ||= task.result?.state === 'fail'
    const folder = PICTURES ?? (failed ? path.join(os.tmpdir(), 'tesp-e2e') : undefined)
    if (folder && task.result?.state !== 'skip') await takePictures(contexts, task.name, folder)
    errors.check()
  })

  afterAll(async () => {
    await Promise.all([...contexts].map((context) => context.close()))
    await journey.product?.close()
    await journey.mailbox?.close()
  })

  return journey
}
