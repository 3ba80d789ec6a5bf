import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  field,
  figure,
  identity,
  openAs,
  panel,
  register,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { audit } from '#db/ledger/audit'

describe('invitation', () => {
  const journey = useJourney()
  const [ann, ben, cem] = [identity('ann'), identity('ben'), identity('cem')] as const
  let dashboard: Page
  let team: Page
  let newcomer: Page
  let code: string

  const seeTeam = async (size: number, boost: string, rate: string) => {
    await panel(team, 'Total Referrals').getByText(String(size), { exact: true }).waitFor()
    await panel(team, 'Mining Boost').getByText(boost, { exact: true }).waitFor()
    await figure(dashboard, 'Rate').getByText(rate).waitFor()
  }

  it('a member generates a referral code and link', async () => {
    await journey.visitor().register(ann)
    dashboard = await openAs(journey, ann.username, '/mine')
    await button(dashboard, 'Start mining').click()
    await dashboard.getByText('Mining Active').waitFor()
    await figure(dashboard, 'Rate').getByText('0.100').waitFor()
    team = await journey.openTab(dashboard, '/team')
    await team.getByText('No referred members yet').waitFor()
    await button(team, 'Generate referral code').click()
    await seeToast(team, 'Success!', 'A new referral code has been created for you.')
    const link = await team.getByText(`${journey.url}/auth?ref=`).textContent()
    code = new URL(link ?? '').searchParams.get('ref') ?? ''
    expect(code).toMatch(/^TESP[A-HJ-NP-Z2-9]{6}$/)
    await expectAccessible(team)
  })

  it('the link is shared by copying where there is no share sheet, and by a QR code', async () => {
    // It is shown for 2 s.
    const copied = team.getByText('Copied!').waitFor()
    await button(team, 'Share').click()
    await copied
    await button(team, 'QR code').click()
    const dialog = team.getByRole('dialog', { name: 'Invite by QR code' })
    await dialog.getByRole('img', { name: 'QR code of your referral link' }).waitFor()
    await dialog.getByText(code, { exact: true }).waitFor()
    // The dialog hides the heading of the page.
    await expectAccessible(team, 'page-has-heading-one')
    await team.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('registration by invite link updates the open team screen of the inviter immediately', async () => {
    const page = await journey.open(`/auth?ref=${code}`)
    await page.getByText('Referral code is valid · Invited by ann', { exact: true }).waitFor()
    await expect.poll(() => field(page, 'Referral code').inputValue()).toBe(code)
    await register(journey, page, ben)
    await seeTeam(1, '5.0%', '0.105')
    await dashboard.getByRole('heading', { name: 'Boost from F1' }).waitFor()
    await dashboard.getByText('+5%', { exact: true }).waitFor()
    const row = team.getByRole('listitem').filter({ hasText: ben.username })
    await row.getByText(ben.email).waitFor()
    await row.getByText('F1', { exact: true }).waitFor()
    expect(await team.getByText(/mining now/).count()).toBe(0)
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
  })

  it('the team screen names who is mining now', async () => {
    await team.reload()
    await team.getByText('1 mining now').waitFor()
    const row = team.getByRole('listitem').filter({ hasText: ben.username })
    await expect.poll(() => row.textContent()).toContain('mining now')
    await expectAccessible(team)
  })

  it('a refused referral code shows the message of the server', async () => {
    await journey.visitor().register(cem)
    newcomer = await openAs(journey, cem.username, '/team')
    const box = field(newcomer, 'Enter Referral Code')
    const apply = button(newcomer, 'Apply Referral Code')
    await expect.poll(() => apply.isDisabled()).toBe(true)
    await box.fill('TESPAAAAAA')
    await apply.click()
    await seeToast(newcomer, 'Failed!', 'Referral code does not exist')
    await button(newcomer, 'Generate referral code').click()
    const own = newcomer.getByText(/^TESP[A-Z2-9]{6}$/)
    await box.fill((await own.textContent()) ?? '')
    await apply.click()
    await seeToast(newcomer, 'Failed!', 'You cannot use your own referral code')
  })

  it('a referral code applies after registration in any case and spacing', async () => {
    await field(newcomer, 'Enter Referral Code').fill(`tesp-${code.slice(4).toLowerCase()} `)
    await newcomer.getByText('Referral code is valid · Invited by ann', { exact: true }).waitFor()
    await button(newcomer, 'Apply Referral Code').click()
    await seeToast(newcomer, 'Success!', 'Referral code applied successfully')
    await field(newcomer, 'Enter Referral Code').waitFor({ state: 'detached' })
    await newcomer.getByRole('region', { name: 'Invited by' }).getByText('ann').waitFor()
    await seeTeam(2, '10.0%', '0.110')
    await dashboard.getByText('+10%', { exact: true }).waitFor()
    expect((await audit(journey.product.db)).problems).toEqual([])
  })
})
