import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  asset,
  button,
  goTo,
  identity,
  openAs,
  panel,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { audit } from '#db/ledger/audit'
import { growTeam } from '#scripts/testing/gateway/grow-team'

describe('milestone', () => {
  const journey = useJourney()
  const lea = identity('lea')
  let page: Page
  let referralCode: string

  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })

  it('nine team members reach no milestone', async () => {
    const leader = journey.visitor()
    await leader.register(lea)
    referralCode = await leader.referralCode()
    await growTeam(leader, 9)
    page = await openAs(journey, lea.username, '/team')
    await page.getByText('9 of 10 members').waitFor()
    await button(page, 'Check Milestone').click()
    await seeToast(page, 'No New Milestones')
    await page.getByText('No TESP rewards yet').waitFor()
  })

  it('the tenth team member makes the first milestone pay on check', async () => {
    await journey.visitor().register({ referralCode })
    await page.getByText('10 of 10 members').waitFor()
    await button(page, 'Check Milestone').click()
    await seeToast(page, 'Success!', 'You have received 0.10 USDT from team milestones.')
    await row('Team milestone: 10 members').getByText('5.00 TESP').waitFor()
    await panel(page, 'Milestones Reached').getByText('1 / 6', { exact: true }).waitFor()
    await panel(page, 'Team Milestone Reward').getByText('15 TESP', { exact: true }).waitFor()
  })

  it('a milestone pays once', async () => {
    await button(page, 'Check new milestones').click()
    await seeToast(page, 'No New Milestones')
  })

  it('the wallet shows both amounts of a milestone', async () => {
    await goTo(page, 'Wallet')
    await asset(page, 'TESP').getByText('5.0000').waitFor()
    await asset(page, 'USDT').getByText('$0.10').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    const rows = page.getByRole('tabpanel').getByRole('listitem')
    await rows.getByText('+5.0000').waitFor()
    await rows.getByText('+0.10').waitFor()
    await expect.poll(() => page.getByRole('tabpanel').getByRole('listitem').count()).toBe(2)
    expect((await audit(journey.product.db)).problems).toEqual([])
  })
})
