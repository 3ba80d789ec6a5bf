import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { queriesSettled } from '#client/screens/testing/queries.ts'
import { json, refusal } from '#client/testing/server.ts'
import { TEAM_MINING_MAX } from '#contract/page-sizes'
import type { TeamMember } from '#rules/snapshots'
import { aReferralInfo } from './testing/a-team.ts'
import { leaderInfo, openTeam, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

const MINING = 'GET /api/referral/mining'
const NOBODY = { total: 0, memberIds: [], wakeable: [], reminded: [] }
const rowOf = (name: string) =>
  screen.getByText(name, { exact: true }).closest('li')?.textContent ?? ''
it('the member list names how many are mining and marks them', async () => {
  openTeam(leaderInfo, { [MINING]: () => json({ ...NOBODY, total: 2, memberIds: [12, 5] }) })
  expect(await screen.findByText('2 mining now')).toBeTruthy()
  expect(rowOf('member12')).toContain('mining now')
  expect(rowOf('member5')).toContain('mining now')
  expect(rowOf('member11')).not.toContain('mining now')
})

it('the member list is silent about mining while nobody mines', async () => {
  const { server } = openTeam(leaderInfo, { [MINING]: () => json(NOBODY) })
  await waitFor(() => expect(server.count(MINING)).toBe(1))
  await queriesSettled()
  expect(screen.queryByText(/mining now/)).toBeNull()
})

it('a failed read of who is mining leaves the member list as it is', async () => {
  const { server } = openTeam(leaderInfo, { [MINING]: () => refusal(500, 'Something went wrong') })
  await waitFor(() => expect(server.count(MINING)).toBe(1))
  await queriesSettled()
  const list = screen.getByRole('list', { name: 'List of team members' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(12)
  expect(screen.queryByText(/mining now/)).toBeNull()
})

it('who is mining is not read for a member without a team', async () => {
  const { server } = openTeam(aReferralInfo(), {
    [MINING]: () => json(NOBODY),
  })
  await screen.findByText('No referred members yet')
  await queriesSettled()
  expect(server.count(MINING)).toBe(0)
})

describe('reminders', () => {
  const WAKE = 'POST /api/referral/wake'
  const team = { total: 1, memberIds: [12], wakeable: [11, 10], reminded: [9] }
  const wakeButtons = () => screen.queryAllByRole('button', { name: /^Remind/ })

  it('each member can be reminded, or the row says why not', async () => {
    openTeam(leaderInfo, { [MINING]: () => json(team) })
    await screen.findByText('1 mining now')
    expect(wakeButtons().map((one) => one.getAttribute('aria-label'))).toEqual([
      'Remind member11 to mine',
      'Remind member10 to mine',
    ])
    // On a narrow phone it is only an icon.
    expect(wakeButtons().map(({ classList }) => classList.contains('min-w-11'))).toEqual([
      true,
      true,
    ])
    expect(rowOf('member12')).not.toMatch(/reminder|Reminded/)
    expect(rowOf('member9')).toContain('Reminded today')
    expect(rowOf('member8')).toContain('Takes no reminders')
  })

  it('a press reminds the member, and the row says so', async () => {
    const { user, server } = openTeam(leaderInfo, {
      [MINING]: () => json(team),
      [WAKE]: () => json({ ...team, wakeable: [10], reminded: [11, 9] }),
    })
    await user.click(await screen.findByRole('button', { name: 'Remind member11 to mine' }))
    expect(await findToast('member11 was reminded to mine')).toBeTruthy()
    expect(server.sent.find(({ route }) => route === WAKE)?.body).toEqual({ memberId: 11 })
    expect(rowOf('member11')).toContain('Reminded today')
    expect(wakeButtons()).toHaveLength(1)
    expect(document.activeElement).toBe(screen.getByText('member11').closest('li'))
  })

  it('a refused reminder says why, and the list is read again', async () => {
    let now = team
    const { user, server } = openTeam(leaderInfo, {
      [MINING]: () => json(now),
      [WAKE]: () => {
        now = { ...team, wakeable: [10] }
        return refusal(409, 'This member takes no reminders', 'reminder_refused')
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Remind member11 to mine' }))
    expect(await findToast('member11 was not reminded')).toBeTruthy()
    expect(await findToast('This member takes no reminders')).toBeTruthy()
    await waitFor(() => expect(server.count(MINING)).toBe(2))
    await waitFor(() => expect(rowOf('member11')).toContain('Takes no reminders'))
  })

  it('deleted members and members beyond the answer say nothing about reminders', async () => {
    const [deleted, ...others] = leaderInfo.teamMembers
    const teamMembers = [{ ...deleted, username: 'Deleted member', email: '' }, ...others]
    const wakeable = Array.from({ length: TEAM_MINING_MAX }, (_, at) => at + 10)
    openTeam(
      { ...leaderInfo, teamMembers: teamMembers as TeamMember[] },
      { [MINING]: () => json({ total: 0, memberIds: [], wakeable, reminded: [] }) },
    )
    expect(await screen.findByRole('button', { name: 'Remind member10 to mine' })).toBeTruthy()
    expect(rowOf('Deleted member')).not.toMatch(/Wake|reminder/)
    expect(rowOf('member9')).not.toMatch(/Wake|reminder/)
  })
})
