import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOW } from '#client/testing/fixtures.ts'
import { SECOND_MS } from '#rules/constants'
import { installLocks } from './testing/fake-locks.ts'
import { ModelGateway } from './testing/model-gateway.ts'
import { openPage, type Page } from './testing/page.ts'
import { PAGE_COMMANDS, type PageCommand } from './testing/page-commands.ts'

// Each page loads the modules again.
vi.setConfig({ testTimeout: 30_000 })

let gateway: ModelGateway
let pages: Page[] = []

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  localStorage.clear()
  installLocks()
  gateway = new ModelGateway()
  gateway.install()
})
afterEach(() => {
  for (const page of pages) page.close()
  pages = []
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(options?: { socketOpens: boolean }): Promise<Page> {
  const page = await openPage(options)
  pages.push(page)
  await pass(SECOND_MS)
  return page
}

function close(page: Page): void {
  page.close()
  pages = pages.filter((one) => one !== page)
}

/** A member whose screens show what `command` needs. */
async function start(
  { needsMining }: PageCommand,
  options?: { socketOpens: boolean },
): Promise<Page> {
  if (needsMining) gateway.answer('POST /api/mining/start')
  return open(options)
}

function goOffline(page: Page): void {
  gateway.network = 'down'
  page.loseSocket()
}

async function goOnline(...open: Page[]): Promise<void> {
  gateway.network = 'up'
  for (const page of open) page.reconnect()
  await pass(20 * SECOND_MS)
}

/** Tells the other tabs that storage has changed, as a browser does. */
const syncTabs = () => window.dispatchEvent(new StorageEvent('storage', { key: null }))

const toastsOf = (page: Page, pattern: RegExp) => page.toasts.filter((text) => pattern.test(text))
const FAILED = /^(Failed|Error|Cannot)/

/** The command took effect this often, nothing is under way, and every page shows the server. */
function expectAgreement({ route }: PageCommand, effects: number): void {
  expect(gateway.effects.filter((one) => one === route)).toHaveLength(effects)
  for (const page of pages) {
    expect(page.commands()).toEqual([])
    expect(page.screen()).toEqual(gateway.view())
  }
}

describe.each(Object.entries(PAGE_COMMANDS))('%s', (name, command) => {
  it(`${name} while online takes effect once`, async () => {
    const page = await start(command)
    void command.issue(page)
    await pass(5 * SECOND_MS)
    expectAgreement(command, 1)
    expect(toastsOf(page, FAILED)).toEqual([])
  })

  it(`${name} while offline waits, and takes effect once when the network returns`, async () => {
    const page = await start(command)
    goOffline(page)
    void command.issue(page)
    await pass(10 * SECOND_MS)
    expect(page.commands()).toMatchObject([{ state: 'waiting' }])
    expect(page.toasts).toEqual([])
    await goOnline(page)
    expectAgreement(command, 1)
    expect(toastsOf(page, command.done)).toHaveLength(1)
  })

  it(`${name} that is undone while offline never takes effect`, async () => {
    const page = await start(command)
    goOffline(page)
    void command.issue(page)
    await pass(10 * SECOND_MS)
    const [waiting] = page.commands()
    page.undo(waiting?.key ?? '')
    await goOnline(page)
    expectAgreement(command, 0)
    expect(toastsOf(page, /not .*: You have undone it/)).toHaveLength(1)
  })

  it(`${name} without a socket takes effect once`, async () => {
    const page = await start(command, { socketOpens: false })
    void command.issue(page)
    await pass(10 * SECOND_MS)
    expectAgreement(command, 1)
    expect(toastsOf(page, FAILED)).toEqual([])
  })

  it(`${name} whose answer is lost with a reload takes effect once and is reported`, async () => {
    const page = await start(command)
    gateway.network = 'deaf'
    void command.issue(page)
    await pass(10)
    close(page)
    await pass(100)
    gateway.network = 'up'
    const next = await open()
    await pass(20 * SECOND_MS)
    expectAgreement(command, 1)
    expect(toastsOf(next, command.done)).toHaveLength(1)
  })

  it(`${name} that waits in one tab can be undone in another`, async () => {
    const page = await start(command)
    const tab = await open()
    goOffline(page)
    tab.loseSocket()
    void command.issue(page)
    await pass(10 * SECOND_MS)
    syncTabs()
    await pass(100)
    const [waiting] = tab.commands()
    expect(waiting).toMatchObject({ state: 'waiting' })
    tab.undo(waiting?.key ?? '')
    syncTabs()
    await goOnline(page, tab)
    syncTabs()
    await pass(SECOND_MS)
    expectAgreement(command, 0)
    expect(toastsOf(page, /undone/).length + toastsOf(tab, /undone/).length).toBe(1)
  })

  it(`${name} that waits while another device acts leaves screen and server in agreement`, async () => {
    const page = await start(command)
    goOffline(page)
    void command.issue(page)
    await pass(10 * SECOND_MS)
    const body = { taskId: 'join_telegram', referralCode: 'TESPOTHER2', fullName: 'Another Name' }
    gateway.answer(command.route, body)
    if (command.needsMining) gateway.answer('POST /api/mining/start')
    await goOnline(page)
    const again = ['milestone', 'profile'].includes(name)
    expectAgreement(command, again ? 1 : 0)
    expect(toastsOf(page, command.afterOtherDevice)).toHaveLength(1)
  })

  it(`${name} after the sign-in has expired is dropped with the sign-in`, async () => {
    const page = await start(command)
    gateway.isSignedIn = false
    void command.issue(page)
    await pass(5 * SECOND_MS)
    expect(page.isSignedIn()).toBe(false)
    expect(page.commands()).toEqual([])
    expect(gateway.effects).toEqual([])
    expect(toastsOf(page, FAILED)).toEqual([])
    expect(toastsOf(page, /^Signed out/)).toHaveLength(1)
    expect(Object.keys(localStorage).filter((key) => key.startsWith('command'))).toEqual([])
  })

  it(`${name} that waits while a new version is loaded keeps its key`, async () => {
    const page = await start(command)
    goOffline(page)
    void command.issue(page)
    await pass(10 * SECOND_MS)
    close(page)
    vi.stubGlobal('__APP_VERSION__', '99.0.0')
    gateway.network = 'up'
    const next = await open()
    await pass(20 * SECOND_MS)
    // A document is lost with its page; the member is asked to submit it again.
    const isLost = name === 'upload'
    expectAgreement(command, isLost ? 0 : 1)
    const reported = isLost ? /^Your document was not submitted/ : command.done
    expect(toastsOf(next, reported)).toHaveLength(1)
  })
})
