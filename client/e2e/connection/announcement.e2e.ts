import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connection, goTo, identity, openAs, signInByApi } from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { reportTime } from '#client/e2e/testing/network.ts'
import { inTransaction } from '#db/postgres/statements/transaction'
import { addAnnouncement, type Draft, endAnnouncement } from '#operators/actions/announcements'
import { publishChange } from '#operators/ops/redis'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'

describe('operators tell all members', () => {
  const journey = useJourney()
  const mara = identity('mara')
  let page: Page
  let otherTab: Page
  let polling: Page
  let urgentId: number

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
  const publish = async (draft: Draft): Promise<number> => {
    const { db, config } = journey.product
    const id = await inTransaction(db, (tx) => addAnnouncement(tx, draft))
    await publishChange({ config }, { kind: 'announcements' })
    return id
  }
  const banner = (on: Page, text: string) =>
    on.getByRole('region', { name: 'Announcement' }).filter({ hasText: text })
  const bell = (on: Page) => on.getByRole('banner').getByRole('link', { name: /^Inbox/ })
  const isUnread = async (on: Page) =>
    (await bell(on).textContent())?.endsWith('unread entries') ?? false

  it('a page with a socket and a polling page are open', async () => {
    await journey.visitor().register(mara)
    page = await openAs(journey, mara.username, '/mine')
    otherTab = await journey.openTab(page, '/wallet')
    polling = await journey.open('about:blank')
    await polling.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close())
    await signInByApi(journey, polling, mara.username)
    await polling.goto('/mine')
    await connection(page, 'Live').waitFor()
    await connection(otherTab, 'Live').waitFor()
    await connection(polling, 'Polling').waitFor()
    // The sign-ins of new browsers are facts too.
    await bell(page).click()
    await page.getByText('Sign-in from a new browser').first().waitFor()
    await expect.poll(() => isUnread(otherTab)).toBe(false)
    await page.goBack()
  })

  it('an urgent notice is a banner with an unread bell on live and on polling pages', async () => {
    const since = Date.now()
    const text = 'Change your password now.'
    urgentId = await publish({
      kind: 'urgent',
      until: inMs(HOUR_MS),
      texts: { en: text, vi: 'Hãy đổi mật khẩu ngay.' },
    })
    const late = banner(polling, text).waitFor()
    await Promise.all([page, otherTab].map((on) => banner(on, text).waitFor()))
    reportTime('announcement: the banner is on live pages after', Date.now() - since)
    expect(await isUnread(page)).toBe(true)
    await late
    reportTime('announcement: the banner is on a polling page after', Date.now() - since)
    await expect.poll(() => isUnread(polling)).toBe(true)
    await expectAccessible(page)
  })

  it('what is read in one tab is gone in the other, and on a device that polls', async () => {
    const text = 'Change your password now.'
    await bell(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await page.getByRole('list', { name: 'Entries, newest first' }).getByText(text).waitFor()
    for (const on of [page, otherTab, polling]) {
      await banner(on, text).waitFor({ state: 'detached' })
      await expect.poll(() => isUnread(on)).toBe(false)
    }
    await expectAccessible(page)
  })

  it('what is read without an answer of the server is sent later, and then read on every device', async () => {
    const { db } = journey.product
    const text = 'A new screen is here.'
    const texts = { en: text, vi: 'Có màn hình mới.' }
    await goTo(page, 'Mine')
    const id = await publish({ kind: 'news', until: inMs(HOUR_MS), texts })
    for (const on of [page, otherTab, polling]) await expect.poll(() => isUnread(on)).toBe(true)
    journey.allow(/ERR_FAILED .*\/api\/inbox\/read/, /ERR_INTERNET_DISCONNECTED/)
    const read = /\/api\/inbox\/read$/
    await page.context().route(read, (route) => route.abort())
    await bell(page).click()
    await page.getByRole('list', { name: 'Entries, newest first' }).getByText(text).waitFor()
    for (const on of [page, otherTab]) await expect.poll(() => isUnread(on)).toBe(false)
    const mark = async () => {
      const row = await db('users').where({ username: mara.username }).first('readAnnouncement')
      return row?.readAnnouncement
    }
    expect(await mark()).toBeLessThan(id)
    expect(await isUnread(polling)).toBe(true)
    await page.context().setOffline(true)
    await connection(page, 'Offline').waitFor()
    await page.context().unroute(read)
    await page.context().setOffline(false)
    await expect.poll(mark).toBe(id)
    await expect.poll(() => isUnread(polling)).toBe(false)
  })

  it('maintenance counts down to its beginning, in the language of the page', async () => {
    // The inbox would read it at once.
    await goTo(page, 'Mine')
    await publish({
      kind: 'maintenance',
      from: inMs(90 * MINUTE_MS),
      until: inMs(2 * HOUR_MS),
      texts: { en: 'Mining pauses.', vi: 'Khai thác tạm dừng.' },
    })
    const english = banner(page, 'Mining pauses.')
    await english.waitFor()
    const left = () => english.getByRole('timer').textContent()
    await expect.poll(left).toMatch(/^1:29:\d\d$/)
    const before = (await left()) ?? ''
    await expect.poll(async () => ((await left()) ?? '') < before).toBe(true)
    await page.evaluate("localStorage.setItem('language', 'vi')")
    await page.reload()
    const region = page.getByRole('region', { name: 'Thông báo' })
    await region.getByText('Khai thác tạm dừng.').waitFor()
    await page.getByRole('link', { name: /^Hộp thư ?có mục chưa đọc$/ }).waitFor()
    await expectAccessible(page)
    await page.evaluate("localStorage.setItem('language', 'en')")
  })

  it('a notice that operators end leaves every page', async () => {
    const text = 'Another notice.'
    const id = await publish({
      kind: 'urgent',
      until: inMs(HOUR_MS),
      texts: { en: text, vi: 'Thông báo khác.' },
    })
    await banner(otherTab, text).waitFor()
    const { db, config } = journey.product
    await inTransaction(db, (tx) => endAnnouncement(tx, id))
    await publishChange({ config }, { kind: 'announcements' })
    await banner(otherTab, text).waitFor({ state: 'detached' })
    expect(urgentId).toBeLessThan(id)
  })
})
