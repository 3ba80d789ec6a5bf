import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  button,
  goTo,
  identity,
  openAccountView,
  openAs,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { buildWeekBoard } from '#scripts/testing/gateway/build-week-board'

describe('a team that wakes', () => {
  const journey = useJourney()
  const [ann, ben] = [identity('ann'), identity('ben')] as const
  let inviter: Page
  let member: Page

  const rowOfBen = () => inviter.getByRole('listitem').filter({ hasText: ben.email })
  const teamSwitch = () => member.getByRole('switch', { name: 'Team reminders' })

  it('a new member takes no reminders until the switch is on', async () => {
    const visitor = journey.visitor()
    await visitor.register(ann)
    const { referralCode } = (await visitor.call('POST /api/referral/generate-code')).body
    await journey.visitor().register({ ...ben, referralCode })
    inviter = await openAs(journey, ann.username, '/team')
    await rowOfBen().getByText('Takes no reminders').waitFor()
    member = await openAs(journey, ben.username, '/account?view=notifications')
    await member.getByText(/^ann, who invited you, can remind you/).waitFor()
    expect(await teamSwitch().getAttribute('aria-checked')).toBe('false')
    await teamSwitch().click()
    await seeToast(member, 'Your inviter can remind you')
    await expectAccessible(member)
  })

  it('Wake sends one reminder, which the open page of the member shows', async () => {
    await inviter.reload()
    await button(inviter, 'Remind ben to mine').click()
    await seeToast(inviter, 'ben was reminded to mine')
    await rowOfBen().getByText('Reminded today').waitFor()
    await expectAccessible(inviter)
    await member.getByRole('link', { name: /^Inbox ?unread entries$/ }).click()
    await member.getByRole('link', { name: 'ann reminds you to mine' }).waitFor()
    await expectAccessible(member)
  })

  it('the member blocks the inviter in the inbox and finds the way back on Account', async () => {
    await button(member, 'No more from ann').click()
    await seeToast(member, 'No more reminders from ann')
    await openAccountView(member, ben, 'notifications')
    await member.getByText('Reminders from ann are blocked.').waitFor()
    await button(member, 'Allow ann again').click()
    await seeToast(member, 'Reminders from ann are allowed again')
    expect(await teamSwitch().getAttribute('aria-checked')).toBe('true')
  })

  it('the board of the week ranks the team, and the board of all members is joined and left', async () => {
    const { db } = journey.product
    await goTo(member, 'Mine')
    await button(member, 'Start mining').click()
    await member.getByText('Mining Active').waitFor()
    await advance(db, 21 * MINUTE_MS)
    await expect.poll(() => db('wallet_activity').first('id')).toBeTruthy()
    await buildWeekBoard(journey.product)
    await goTo(member, 'Team')
    await button(member, 'This week').click()
    const dialog = member.getByRole('dialog', { name: 'This week' })
    const rows = dialog.getByRole('list', { name: 'Your team and inviter' }).getByRole('listitem')
    await rows.nth(0).getByText('0.0333').waitFor()
    expect(await rows.allTextContents()).toEqual([
      '1benYou0.0333 TESP',
      '–no rankannInviter0.0000 TESP',
    ])
    await button(member, 'Join as Anonymous').click()
    await dialog.getByRole('list', { name: 'All members' }).getByText('0.0333').waitFor()
    await expectAccessible(member, 'page-has-heading-one')
    await button(member, 'Leave the board').click()
    await dialog.getByText(/^Only members who chose to/).waitFor()
  })
})
