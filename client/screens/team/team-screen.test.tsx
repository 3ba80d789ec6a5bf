import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queriesSettled } from '#client/screens/testing/queries.ts'
import { show } from '#client/testing/render.tsx'
import { json, refusal } from '#client/testing/server.ts'
import { TeamScreen } from './team-screen.tsx'
import { button, leaderInfo, openTeam, panel, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

describe('team cards', () => {
  it('the team cards show size, boost, milestones and the next reward', async () => {
    openTeam(leaderInfo)
    await screen.findByText('12 of 25 members')
    expect(panel('Total Referrals').getByText('12')).toBeTruthy()
    expect(panel('Total Referrals').getByText('12 of 25 members')).toBeTruthy()
    expect(panel('Total Referrals').getByText('13 to the next milestone')).toBeTruthy()
    expect(panel('Total Referrals').getByRole('progressbar').getAttribute('aria-valuenow')).toBe(
      '48',
    )
    expect(panel('Mining Boost').getByText('60.0%')).toBeTruthy()
    expect(panel('Milestones Reached').getByText('1 / 6')).toBeTruthy()
    expect(panel('Team Milestone Reward').getByText('15 TESP')).toBeTruthy()
  })

  it('the team screen shows no figure before the answer', async () => {
    const { server } = openTeam(leaderInfo, {
      'GET /api/referral/info': () => new Promise(() => {}),
    })
    await waitFor(() => expect(server.count('GET /api/referral/info')).toBe(1))
    expect(panel('Total Referrals').queryByText(/\d/)).toBeNull()
    expect(panel('Mining Boost').queryByText(/^\d/)).toBeNull()
    expect(screen.queryByText('No referred members yet')).toBeNull()
    expect(screen.queryByText('No TESP rewards yet')).toBeNull()
    expect(screen.getByText('Loading team members')).toBeTruthy()
  })
})

describe('referral info', () => {
  it('a failed read of the referral info offers Try Again', async () => {
    let isDown = true
    const { user } = openTeam(leaderInfo, {
      'GET /api/referral/info': () =>
        isDown ? refusal(500, 'Something went wrong') : json(leaderInfo),
    })
    expect(await screen.findByText('Data Loading Error')).toBeTruthy()
    const text = 'Unable to load referral system information. Please try again later.'
    expect(screen.getByText(text)).toBeTruthy()
    isDown = false
    await user.click(await button('Try Again'))
    expect(await screen.findByText('60.0%')).toBeTruthy()
  })

  it('the referral info is read again on window focus only while the screen is mounted', async () => {
    const { server } = openTeam(leaderInfo)
    await screen.findByText('60.0%')
    await queriesSettled()
    const before = server.count('GET /api/referral/info')
    act(() => void window.dispatchEvent(new Event('focus')))
    await waitFor(() => expect(server.count('GET /api/referral/info')).toBe(before + 1))
    await queriesSettled()
    cleanup()
    window.dispatchEvent(new Event('focus'))
    await queriesSettled()
    expect(server.count('GET /api/referral/info')).toBe(before + 1)
  })

  it('the referral info is read again each time the screen is mounted', async () => {
    const { server } = openTeam(leaderInfo)
    await screen.findByText('60.0%')
    cleanup()
    const before = server.count('GET /api/referral/info')
    show(<TeamScreen />)
    await waitFor(() => expect(server.count('GET /api/referral/info')).toBe(before + 1))
  })
})
