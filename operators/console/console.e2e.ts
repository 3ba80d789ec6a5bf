import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { sharedBrowser } from '#client/e2e/testing/shared-browser.ts'
import { recordFigures } from '#db/daily-figures'
import { newestMails } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { checkGrownTeams } from '#db/team/suspicious-teams'
import { listActions } from '#operators/actions/action-log'
import { addNote } from '#operators/actions/notes'
import type { Role } from '#operators/actions/operators'
import { DAY_MS } from '#rules/constants'
import { sidewaysScroll, strayTexts } from '#scripts/browser/layout-faults'
import { insertMembers } from '#scripts/testing/db/members'
import { acceptInvitationIn, carryOut } from './testing/press.ts'
import { submit, useConsole } from './testing/use-console.ts'

const owner = useConsole()
const PICTURES = process.env.E2E_PICTURES
const WIDTHS = [320, 390, 1440]

/** A picture of 640 × 400 pixels, as a browser draws it. */
async function documentPicture(): Promise<Buffer> {
  const browser = await sharedBrowser()
  const page = await browser.newPage({ viewport: { width: 640, height: 400 } })
  await page.setContent(
    '<body style="background:#dde6ee;font:28px sans-serif;padding:32px"><b>PASSPORT</b><p>Zoe Ng<p>1990-01-01',
  )
  const bytes = await page.screenshot({ type: 'png' })
  await page.close()
  return Buffer.from(bytes)
}

let page: Page
let memberId = 0
let documentId = 0

async function openPage(): Promise<Page> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  return context.newPage()
}

async function accept(one: Page, name: string, role: Role): Promise<void> {
  const place = { ...owner.fresh, origin: owner.origin }
  await acceptInvitationIn(one, place, { name, role }, () => look(one, `invitation-${role}`))
}

/** Checks the page at each width and takes its picture if asked. */
async function look(one: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await one.setViewportSize({ width, height: 844 })
    // The press before may still be loading the page.
    const faults = async () => [name, width, await sidewaysScroll(one), await strayTexts(one)]
    await vi.waitFor(async () => expect(await faults()).toEqual([name, width, 0, []]), 60_000)
    if (width !== 320) await expectAccessible(one)
    if (PICTURES && width !== 320) {
      await one.screenshot({ path: `${PICTURES}/${name}-${width}.png`, fullPage: true })
    }
  }
}

beforeAll(async () => {
  const { db } = owner.fresh
  const bytes = await documentPicture()
  const document = await submit(owner.fresh, 'image/png', bytes)
  memberId = document.userId
  documentId = document.id
  const others = await insertMembers(db, 12)
  const createdAt = new Date(Date.now() - 3 * DAY_MS)
  await db('users').whereIn('id', others).update({ referredBy: memberId, createdAt })
  const join = { userId: memberId, rewardPercentage: 5, createdAt }
  await db('referral_rewards').insert(others.map((id) => ({ ...join, referredUserId: id })))
  await checkGrownTeams(db, async (ids) => ids.map(() => []))
  await recordFigures(db)
  await db.raw(
    `update daily_figures f set "signUps" = 400 + 9 * n + (n * 37) % 60, members = 9000 + 450 * n,
       joined = 2000 + 130 * n, "activeSessions" = 3000 + 140 * n + (n * 53) % 400,
       credits = 210000 + n * 9000, "creditLag" = (n * 7) % 5, "mailsFailed" = (n / 11) % 3,
       "backAfterOneDay" = case when n < 29 then 210 + 4 * n end,
       "backAfterSevenDays" = case when n < 23 then 90 + 3 * n end
     from (select day, row_number() over (order by day) as n from daily_figures) d where d.day = f.day`,
  )
  await db('daily_figures').whereRaw('day = current_date - 20').delete()
  await db('users')
    .where({ id: memberId })
    .update({ username: 'zoe', usernameKey: 'zoe', fullName: 'Zoë Ng', referralCode: 'TESPZOE' })
  await inTransaction(db, (tx) =>
    addNote(tx, { memberId, author: 'ada', text: 'Called about a lost claim.\nSolved.' }),
  )
  page = await openPage()
})
afterAll(() => page?.context().close())

it('an invited owner signs in, and every page fits and is accessible', async () => {
  await accept(page, 'ada', 'owner')
  const failures: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text())
  })
  await look(page, 'overview')
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('searchbox').fill('zoe')
  await page.getByRole('button', { name: 'Find' }).click()
  await look(page, 'members')
  await page.getByRole('link', { name: 'zoe', exact: true }).click()
  await look(page, 'member')
  const paths = ['identity', 'corrections', 'operators', 'log', 'account']
  paths.push('tasks', 'announcements', 'releases', 'queues', 'teams')
  for (const path of paths) {
    await page.goto(`${owner.origin}/${path}`)
    await look(page, path)
  }
  await page.goto(`${owner.origin}/tasks/follow_twitter`)
  await look(page, 'task')
  await page.goto(`${owner.origin}/identity/${documentId}`)
  await look(page, 'document')
  await page.getByRole('link', { name: 'Turn' }).click()
  await page.getByRole('link', { name: '200 %' }).click()
  await look(page, 'document-turned')
  expect(failures).toEqual([])
})

it('an announcement is seen in both languages before it is published', async () => {
  await page.goto(`${owner.origin}/announcements`)
  await page.getByRole('link', { name: 'Announce…' }).click()
  await page.getByLabel('Kind').selectOption('maintenance')
  await page.getByLabel('Begins (UTC)').fill('2099-12-01T20:00')
  await page.getByLabel('Ends (UTC)').fill('2099-12-01T21:00')
  await page.getByLabel('English').fill('Mining pauses for an hour. Nothing is lost.')
  await page.getByLabel('Tiếng Việt').fill('Khai thác tạm dừng một giờ. Không mất gì cả.')
  await look(page, 'announcement-form')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectText(page, 'Khai thác tạm dừng một giờ.')
  await look(page, 'announcement-preview')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await expectText(page, 'is published')
  await page.goto(`${owner.origin}/announcements`)
  await look(page, 'announcements-open')
})

it('the board of queues draws itself under its own policy', async () => {
  await page.goto(`${owner.origin}/queues`)
  await page.getByRole('link', { name: 'Open the board' }).click()
  await page.getByText('send-mail').first().waitFor()
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/board.png` })
})

describe('a support operator', () => {
  let support: Page
  beforeAll(async () => {
    support = await openPage()
    await accept(support, 'grace', 'support')
  })
  afterAll(() => support?.context().close())

  const press = async (label: string) => support.getByRole('link', { name: label }).click()
  const submitForm = async (name: string) => support.getByRole('button', { name }).click()

  it('a wrong balance is corrected, up to the limit', async () => {
    await support.goto(`${owner.origin}/members/${memberId}`)
    await press('Correct a balance…')
    await look(support, 'action-form')
    await support.getByLabel('Amount').fill('much')
    await support.getByLabel('Reason').fill('a lost claim')
    await submitForm('Continue')
    await expectText(support, 'The amount must be a decimal')
    await support.getByLabel('Amount').fill('2.5')
    await submitForm('Continue')
    await expectText(support, `Post 2.5 TESP for member ${memberId} (zoe)?`)
    await look(support, 'action-question')
    await submitForm('Yes, do it')
    await expectText(support, '2.5 TESP posted for member')
    await look(support, 'action-done')
    await press('Back')
    await expectText(support, 'Correction: a lost claim')
  })

  it('a correction above the limit waits for another operator', async () => {
    await support.goto(`${owner.origin}/members/${memberId}`)
    await press('Correct a balance…')
    await support.getByLabel('Amount').fill('100')
    await support.getByLabel('Reason').fill('a lost week')
    await submitForm('Continue')
    await submitForm('Yes, do it')
    await expectText(support, 'another operator')
    await support.goto(`${owner.origin}/corrections`)
    await expectText(support, 'waits for another operator')
    expect(await support.getByRole('link', { name: 'Refuse…' }).isVisible()).toBe(true)
    expect(await support.getByRole('link', { name: 'Approve…' }).count()).toBe(0)
    await page.goto(`${owner.origin}/corrections`)
    await look(page, 'corrections-waiting')
    await page.getByRole('link', { name: 'Approve…' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Yes, do it' }).click()
    await expectText(page, '100.00000000 TESP posted')
  })

  /** The code in the newest mail to an address. */
  async function codeTo(to: string): Promise<string> {
    const mails = await newestMails(owner.fresh.db, owner.fresh.dataKey)
    return /^ {4}(\d{6})$/m.exec(mails.find((mail) => mail.to === to)?.text ?? '')?.[1] ?? ''
  }
  const addressOf = async (id: number) =>
    (await owner.fresh.db('users').where({ id }).first('email')).email

  it('a member who reads both mailboxes to support gets another address', async () => {
    const old = await addressOf(memberId)
    await support.goto(`${owner.origin}/members/${memberId}`)
    await press('Change the address…')
    await support.getByLabel('Email').fill('zoe@new.example')
    await support.getByLabel('Reason').fill('asked by ticket 12')
    await submitForm('Continue')
    await submitForm('Yes, do it')
    await press('Back')
    await press('Confirm with codes…')
    await support.getByLabel('Email').fill('zoe@new.example')
    await support.getByLabel('Code of old').fill(await codeTo(old))
    await support.getByLabel('Code of new').fill(await codeTo('zoe@new.example'))
    await look(support, 'confirm-codes')
    await submitForm('Continue')
    await submitForm('Yes, do it')
    expect(await addressOf(memberId)).toBe('zoe@new.example')
  })

  it('support cannot give a lost mailbox away: it writes a note, and an owner decides', async () => {
    await support.goto(`${owner.origin}/members/${memberId}`)
    expect(await support.getByRole('link', { name: 'Change the address…' }).count()).toBe(1)
    expect(await support.getByRole('link', { name: 'Lost mailbox…' }).count()).toBe(0)
    const answer = await support.goto(`${owner.origin}/actions/members/set-email`)
    expect(answer?.status()).toBe(403)
    await look(support, 'refused')
    const refused = { operator: 'grace', action: 'console refused' }
    expect(await listActions(owner.fresh.db, 1, refused)).toMatchObject([
      { details: { action: 'members set-email' }, reason: 'the role support may not' },
    ])
    await support.goto(`${owner.origin}/members/${memberId}`)
    await press('Add…')
    await support.getByLabel('Text').fill('Lost the mailbox. Named three amounts of the ledger.')
    await support.getByLabel('Reason').fill('ticket 13')
    await submitForm('Continue')
    await submitForm('Yes, do it')
    await page.goto(`${owner.origin}/members/${memberId}`)
    await expectText(page, 'Named three amounts of the ledger.')
    await page.getByRole('link', { name: 'Lost mailbox…' }).click()
    await page.getByLabel('Email').fill('zoe@lost.example')
    await page.getByLabel('Reason').fill('identity proven by the ledger')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Yes, do it' }).click()
    expect(await addressOf(memberId)).toBe('zoe@lost.example')
    const [changed] = await listActions(owner.fresh.db, 1, { memberId })
    expect(changed).toMatchObject({ operator: 'ada', action: 'members set-email' })
  })

  it('a suspicious team loses its code', async () => {
    await support.goto(`${owner.origin}/teams`)
    await support.getByRole('link', { name: 'zoe' }).click()
    await expectText(support, '12 of 12 have never mined')
    await look(support, 'team')
    await carryOut(support, 'Freeze the code…', 'twelve accounts that have never mined')
    await press('Back')
    await expectText(support, 'The code is frozen: twelve accounts that have never mined')
    await support.goto(`${owner.origin}/teams`)
    await expectText(support, 'None.')
  })

  it('a member is frozen and released, and the page says so', async () => {
    await support.goto(`${owner.origin}/members/${memberId}`)
    await carryOut(support, 'Freeze…', 'many accounts of one person')
    await press('Back')
    await expectText(support, 'many accounts of one person')
    await look(support, 'member-frozen')
    await carryOut(support, 'Release…', 'checked')
    await expectText(support, 'may sign in again')
  })
})

const expectText = async (one: Page, text: string) =>
  expect.poll(() => one.locator('main').textContent()).toContain(text)

it('the console works by keyboard, and prints without navigation', async () => {
  await page.goto(`${owner.origin}/members/${memberId}`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('nav').isVisible()).toBe(false)
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/print.png`, fullPage: true })
  await page.emulateMedia({ media: 'screen' })
})
