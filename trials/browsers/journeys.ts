import assert from 'node:assert/strict'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { addAnnouncement, endAnnouncement } from '#operators/actions/announcements'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import { HOUR_MS, INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { insertTask } from '#scripts/testing/db/tasks'
import { PASSWORD } from '#scripts/testing/gateway/visitor'
import type { ChaosProxy } from '#scripts/testing/gateway/wire/chaos-proxy'
import type { MailServer } from '#scripts/testing/workers/mail-server'
import { until } from '#trials/kit/until'
import type { Page } from './page.ts'

/** An interval of 20 minutes takes five seconds. */
export const SPEED = 240

/** Journeys of a browser go on from each other. */
export type Scene = {
  page: Page
  name: string
  network: ChaosProxy
  url: string
  mails: MailServer
  db: Db
  /** Takes a picture of a moment that the journey's end does not show. */
  keep(moment: string): Promise<void>
}

const ENTER = '\uE007'

async function register({ page, name, url, mails }: Scene): Promise<void> {
  const email = `${name}@test.example`
  await page.open(`${url}/auth`)
  await page.press('Register')
  await page.see('Confirm password')
  await page.fill('Username', name)
  await page.fill('Email', email)
  await page.press('Send OTP')
  await page.see('Enter the 6 digits from the email')
  const code = await until('the code has arrived', () => {
    const mail = mails.mails.find((one) => one.includes(`To: ${email}`)) ?? ''
    return /^\s+(\d{6})\s*$/m.exec(mail)?.[1]
  })
  await page.type('OTP code', code)
  await page.see('Email address verified')
  await page.fill('Password', PASSWORD)
  await page.fill('Confirm password', PASSWORD)
  await page.type('Confirm password', ENTER)
  await page.see(`Hello, ${name}!`, 'Connection: Live')
}

/** TESP in the wallet figure of Mine; a credit that falls into it stands before it. */
async function inWallet(page: Page): Promise<number> {
  const [, figure] = /In your wallet (?:\+[\d.]+ )?([\d.]+) TESP/.exec(await page.text()) ?? []
  return Number(figure)
}

/** Lower edge of Claim and upper edge of the navigation, px, on a page that is not scrolled. */
const EDGES = `
  const edge = (selector) => document.querySelector(selector).getBoundingClientRect()
  return [edge('[aria-labelledby=pending-title] button').bottom + scrollY, edge('nav.sticky').top]`

async function mine({ page, name, network, db }: Scene): Promise<void> {
  await setClockSpeed(db, SPEED)
  await page.press('Start mining')
  await page.see('Mining Active')
  // Offered where the browser can show notifications; a no is remembered.
  if (name === 'firefox') await page.press('No, thanks')
  await page.see('TESP has been added to your wallet!', 'Connection: Live')
  await setClockSpeed(db, 1)
  await until('the wallet has the credit', async () => (await inWallet(page)) >= 0.0333)
  const [claim = 0, navigation = 0] = await page.run<number[]>(EDGES)
  assert.ok(
    claim <= navigation,
    `Claim ends at ${claim} px, the navigation begins at ${navigation}`,
  )
  const sockets = network.upgrades.filter(({ open }) => open)
  assert.equal(sockets.length, 1, 'the credit came by a WebSocket')
}

async function claim({ page, db }: Scene): Promise<void> {
  await advance(db, 5 * MINUTE_MS)
  await page.press('Stop mining')
  await page.see('Mining Inactive')
  await page.press('Claim Rewards')
  await page.see('Rewards Claimed Successfully', 'Start mining to earn TESP')
}

async function tasks({ page, name, url, db }: Scene): Promise<void> {
  await page.press('Tasks')
  await page.press('Claim Reward')
  await page.see('You have received the reward for this task!', 'Completed on')
  const id = `news_${name}`
  await insertTask(db, { id, check: 'code', code: 'mint' })
  await page.open(`${url}/tasks`)
  await page.fill('Code word', 'mint')
  await page.see('Read the news')
  await db('tasks').where({ id }).update({ status: 'ended', ends: db.fn.now() })
}

async function inbox({ page, name, db, keep }: Scene): Promise<void> {
  const said = `Mining pauses for an hour, ${name}.`
  const begins = new Date(Date.now() + MINUTE_MS).toISOString()
  const ends = new Date(Date.now() + HOUR_MS).toISOString()
  const notice = {
    kind: 'maintenance',
    texts: { en: said, vi: said },
    from: begins,
    until: ends,
  } as const
  const correction = { member: name, token: 'TESP', amount: '1.5', reason: 'an outage' } as const
  const id = await inTransaction(db, async (tx) => {
    await correctBalance(tx, correction)
    return addAnnouncement(tx, notice)
  })
  await page.see(said, 'Maintenance starts in')
  await page.run('scrollTo(0, 0)')
  await keep('banner')
  // The name of the bell says that something is unread.
  await page.run(`document.querySelector('header a[href="/inbox"]').click()`)
  await page.see('1.5 TESP', 'an outage', said)
  await until('the banner is gone, because the notice was read', async () =>
    page.run(`return document.querySelector('main [role=timer]') === null`),
  )
  await keep('entries')
  // The other browser's member would see it too.
  await inTransaction(db, (tx) => endAnnouncement(tx, id))
}

async function earnings({ page, keep }: Scene): Promise<void> {
  await page.press('Wallet')
  await page.press('Earnings')
  await page.see('By source', 'Tasks and milestones')
  const bars = `return document.querySelectorAll('path[fill="#5bf0b5"]').length`
  await until('bars are drawn', async () => (await page.run<number>(bars)) > 0)
  await keep('week')
  await page.press('90 days')
  await page.press('Show as table')
  await page.run(`document.getElementById('earnings-table').scrollIntoView({ block: 'center' })`)
}

async function board({ page, keep }: Scene): Promise<void> {
  await page.press('Team')
  await page.press('This week')
  await page.see('Your team and inviter', 'All members', 'Join as Anonymous')
  // WebKit loses a click on a dialog that is still opening.
  const moving = `return document.querySelector('[role=dialog]').getAnimations().length`
  await until('the dialog has opened', async () => (await page.run<number>(moving)) === 0)
  await keep('week')
  await page.press('Close')
  await page.press('Mine')
}

async function offline({ page, network, db, keep }: Scene): Promise<void> {
  await page.press('Start mining')
  await page.see('Mining Active')
  const before = await inWallet(page)
  network.set({ refusing: true })
  network.cut()
  await advance(db, INTERVAL_MS)
  // From an age of 10 s the figures are marked.
  await page.see('Connection: Offline', 'Last known')
  assert.equal(await inWallet(page), before)
  await keep('lost')
  network.set({})
  await page.see('Connection: Live')
  await until('the credit is shown', async () => (await inWallet(page)) > before)
}

/** What a browser cannot do is said in words on Account; the rest of the screen works. */
const LIMITS: Record<string, (scene: Scene) => Promise<void>> = {
  async firefox({ page, keep }) {
    await page.press('Notifications')
    await page.press('Notification on this device')
    await page.see('This browser could not reach its notification service. Try again later.')
    await keep('notifications')
    await page.press('Back to Account')
    await page.press('Security')
    await page.press('Add a passkey')
    await page.fill('Password', PASSWORD)
    await page.press('Continue')
    await page.see('The passkey was not added', 'It was cancelled or took too long.')
    await keep('passkey')
    await page.press('Close')
  },
  async webkit({ page, keep }) {
    await page.press('Notifications')
    await page.see(
      'This browser cannot show notifications. On an iPhone or iPad, add the app to the Home Screen first.',
    )
    await keep('notifications')
    await page.press('Back to Account')
    await page.press('Security')
    await page.see('This browser cannot add passkeys here.')
  },
}

async function account(scene: Scene): Promise<void> {
  const { page, name } = scene
  await page.press(`Account menu of ${name}`)
  await page.press('Account')
  await page.see(`${name}@test.example`, 'Save Changes')
  await LIMITS[name]?.(scene)
  await page.run(`document.getElementById('factors-title').scrollIntoView({ block: 'center' })`)
}

async function wallet({ page, name, keep }: Scene): Promise<void> {
  await page.press('Wallet')
  await page.see('My Wallet', 'TESP')
  await page.press(`Account menu of ${name}`)
  await page.see('Tiếng Việt')
  await keep('menu')
  await page.press('Tiếng Việt')
  await page.see('Ví của tôi', 'Tổng tài sản', 'Kết nối: Trực tiếp')
  assert.equal(await page.run('return document.documentElement.lang'), 'vi')
}

export const JOURNEYS = {
  register,
  mine,
  claim,
  tasks,
  inbox,
  earnings,
  board,
  offline,
  account,
  wallet,
}
