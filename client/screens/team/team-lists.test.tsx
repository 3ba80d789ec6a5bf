import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { json } from '#client/testing/server.ts'
import { FIRST_ROWS } from './member-list.tsx'
import { aReferralInfo, teamMembers } from './testing/a-team.ts'
import { button, leaderInfo, openTeam, panel, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

describe('team lists', () => {
  it('the milestone list explains direct members and names all milestones', async () => {
    openTeam(leaderInfo)
    await screen.findByText('60.0%')
    const text = 'Each person you directly refer helps increase mining speed by +5%/person'
    expect(screen.getByRole('heading', { name: 'F1 - Direct Members' })).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows).toContain('10 members, achieved2%5 TESP')
    expect(rows).toContain('25 members, not achieved3%15 TESP')
    expect(rows).toContain('1,000 members, not achieved12%500 TESP')
  })

  it('the member list shows name, e-mail, badge and date of each member', async () => {
    openTeam(leaderInfo)
    const list = within(await screen.findByRole('list', { name: 'List of team members' }))
    const [first] = list.getAllByRole('listitem')
    expect(list.getAllByRole('listitem')).toHaveLength(12)
    expect(first?.textContent).toContain('member12')
    expect(first?.textContent).toContain('member12@example.com')
    expect(first?.textContent).toContain('F1')
    const joined = leaderInfo.teamMembers[0]?.createdAt
    expect(first?.querySelector('time')?.dateTime).toBe(joined)
  })

  it('rewards are listed newest first with two decimals', async () => {
    openTeam(leaderInfo)
    await screen.findByText('60.0%')
    const rows = panel('Recent rewards').getAllByRole('listitem')
    expect(rows[0]?.textContent).toMatch(/^Team milestone: 25\u00a0members.*15\.50 TESP$/)
    expect(rows[1]?.textContent).toMatch(/^Team milestone: 10\u00a0members.*5\.00 TESP$/)
  })

  it('empty team lists show a notice', async () => {
    openTeam(aReferralInfo())
    expect(await screen.findByText('No referred members yet')).toBeTruthy()
    expect(await screen.findByText('No TESP rewards yet')).toBeTruthy()
  })

  it('Load more appends older members in their order', async () => {
    const { user } = openTeam(
      aReferralInfo({ ...leaderInfo, teamSize: 130, teamMembers: teamMembers(130, 31) }),
      { 'GET /api/referral/members': () => json(teamMembers(30, 1)) },
    )
    const box = await screen.findByRole('list', { name: 'List of team members' })
    expect(within(box).getByText('member130')).toBeTruthy()
    expect(within(box).getAllByRole('listitem')).toHaveLength(FIRST_ROWS)
    await user.click(await button('Load more'))
    expect(within(box).getAllByRole('listitem')).toHaveLength(100)
    expect(document.activeElement).toBe(within(box).getAllByRole('listitem')[FIRST_ROWS])
    await user.click(await button('Load more'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull())
    const last = within(box).getAllByRole('listitem').at(-1)
    expect(last?.textContent).toContain('member1@')
    expect(last?.getAttribute('aria-posinset')).toBe('130')
    expect(last?.getAttribute('aria-setsize')).toBe('130')
  })
})
