import fs from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  connection,
  dismissToast,
  field,
  identity,
  openAccountView,
  openAs,
  seeToast,
  signIn,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { openSocketCount, useJourney } from '#client/e2e/testing/journey.ts'
import type { MemberExport } from '#rules/members/member-export'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { foundInDatabase } from '#scripts/testing/gateway/find-personal-data'

/** Everything that the browser stores for this origin and a page can read, as one text. */
const KEPT = `(async () => {
  const texts = []
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys())
      texts.push(request.url, await (await cache.match(request)).text())
  }
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, texts])
})()`

describe('personal data', () => {
  const journey = useJourney({}, { serviceWorker: true })
  const nora = identity('noraqz')
  const invited = identity('guest')
  let page: Page
  let tab: Page
  /** The toast of the other tab, which leaves after 5 s. */
  let signedOut: Promise<void>
  let memberId: number

  const db = () => journey.product.db
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const kept = () => page.evaluate<string>(KEPT)

  it('the account page offers export and deletion', async () => {
    const visitor = journey.visitor()
    memberId = (await visitor.register(nora)).id
    const { referralCode } = (await visitor.call('POST /api/referral/generate-code')).body
    await journey.visitor().register({ ...invited, referralCode })
    page = await openAs(journey, nora.username, '/tasks')
    await button(page, 'Claim Reward').first().click()
    await dismissToast(page)
    tab = await journey.openTab(page, '/wallet')
    await connection(tab, 'Live').waitFor()
    await openAccountView(page, nora, 'data')
    await page.getByRole('heading', { name: 'Your data' }).waitFor()
    await expectAccessible(page)
  })

  it('an export downloads only with the correct password', async () => {
    journey.allow(/status of 403 .*\/api\/user\/export$/)
    await button(page, 'Download my data').click()
    await expectAccessible(page)
    await field(page, 'Password').fill('not this one')
    await button(page, 'Download', true).click()
    await dialog('Download my data').getByText('Password is not correct').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password')
    expect(openSocketCount(page)).toBe(1)

    const download = page.waitForEvent('download')
    await field(page, 'Password').fill(nora.password)
    await page.keyboard.press('Enter')
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^tesp-network-noraqz-[\d-]{10}\.json$/)
    await seeToast(page, 'Your data was downloaded', file.suggestedFilename())
    await dialog('Download my data').waitFor({ state: 'detached' })

    const data: MemberExport = JSON.parse(await fs.readFile(await file.path(), 'utf8'))
    const row = await db()('users').where({ id: memberId }).first()
    const wallet = await db()('wallets').where({ userId: memberId }).first()
    const ledger = await db()('wallet_activity').where({ userId: memberId }).orderBy('seq')
    expect(data.profile).toEqual({
      id: memberId,
      username: row.username,
      email: row.email,
      fullName: row.fullName,
      phone: row.phone,
      avatar: row.avatar,
      language: 'en',
      readAnnouncement: row.readAnnouncement,
      signedUpAt: row.createdAt.toISOString(),
    })
    expect([data.wallet.tesp, data.wallet.usdt]).toEqual([wallet.balance, wallet.usdtBalance])
    expect(data.activity.map(({ id, amount }) => [id, amount])).toEqual(
      ledger.map(({ id, amount }) => [id, amount]),
    )
    expect(data.teamMembers.map(({ username }) => username)).toEqual(['guest'])
    expect(JSON.stringify(data)).not.toContain(invited.email)
  })

  it('an account is deleted after password and username are entered', async () => {
    await button(page, 'Delete account').click()
    await dialog('Delete account').getByText('What goes').waitFor()
    await expectAccessible(page)
    const remove = button(page, 'Delete for good')
    await expect.poll(() => remove.isDisabled()).toBe(true)
    await field(page, 'Password').fill(nora.password)
    await field(page, 'Type noraqz to confirm').fill('noraqz')
    await expectAccessible(page)
    signedOut = seeToast(tab, 'Signed out', 'Your account has been deleted.')
    signedOut.catch(() => {})
    await remove.click()
    await page.waitForURL('/auth')
    await seeToast(page, 'Account deleted')
  })

  it('account deletion signs out the other tab immediately', async () => {
    await tab.waitForURL('/auth')
    await signedOut
    await expect.poll(() => [page, tab].map(openSocketCount)).toEqual([0, 0])
  })

  it('account deletion leaves no personal data on the device or in the database', async () => {
    for (const trace of ['noraqz', 'join_telegram', 'follow_twitter', `presses:${memberId}`]) {
      const left = JSON.parse(await kept())
      expect(JSON.stringify(left.slice(0, 3))).not.toContain(trace)
    }
    expect(await kept()).not.toContain('noraqz')
    expect(await foundInDatabase(journey.product, ['noraqz'])).toEqual([])
    await expectCleanAudit(journey.product)
  })

  it('a deleted account cannot sign in', async () => {
    journey.allow(/status of 401 .*\/api\/login$/)
    await signIn(page, nora.username)
    await seeToast(page, 'Login failed')
    await dismissToast(page)
  })
})
