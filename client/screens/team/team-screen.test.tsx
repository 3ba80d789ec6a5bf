import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { show } from '#client/testing/render.tsx'
import { json, refusal } from '#client/testing/server.ts'
import { TeamScreen } from './team-screen.tsx'
import { button, openTeam, panel, somebody, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

describe('the four cards', () => {
  it('show size, boost, milestones and the next reward', async () => {
    openTeam(somebody)
    expect(await panel('Total Referrals').findByText('12')).toBeTruthy()
    expect(panel('Total Referrals').getByText('12 of 25 members')).toBeTruthy()
    expect(panel('Total Referrals').getByRole('progressbar').getAttribute('aria-valuenow')).toBe(
      '48',
    )
    expect(panel('Mining Boost').getByText('60.0%')).toBeTruthy()
    expect(panel('Milestones Reached').getByText('1 / 6')).toBeTruthy()
    expect(panel('Team Milestone Reward').getByText('15 TESP')).toBeTruthy()
  })

  it('show no figure before the answer', () => {
    openTeam(somebody, { 'GET /api/referral/info': () => new Promise(() => {}) })
    expect(panel('Total Referrals').queryByText(/\d/)).toBeNull()
    expect(panel('Mining Boost').queryByText(/^\d/)).toBeNull()
    expect(screen.queryByText('No referred members yet')).toBeNull()
    expect(screen.queryByText('No TESP rewards yet')).toBeNull()
    expect(screen.getByText('Loading team members')).toBeTruthy()
  })
})

describe('the information', () => {
  it('says that it could not be loaded, and can be tried again', async () => {
    let broken = true
    const { user } = openTeam(somebody, {
      'GET /api/referral/info': () =>
        broken ? refusal(500, 'Something went wrong') : json(somebody),
    })
    expect(await screen.findByText('Data Loading Error')).toBeTruthy()
    const text = 'Unable to load referral system information. Please try again later.'
    expect(screen.getByText(text)).toBeTruthy()
    broken = false
    await user.click(await button('Try Again'))
    expect(await screen.findByText('60.0%')).toBeTruthy()
  })

  it('is read again when the window gets the focus, while the screen is there', async () => {
    const { server } = openTeam(somebody)
    await screen.findByText('60.0%')
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = server.count('GET /api/referral/info')
    act(() => void window.dispatchEvent(new Event('focus')))
    await waitFor(() => expect(server.count('GET /api/referral/info')).toBe(before + 1))
    cleanup()
    window.dispatchEvent(new Event('focus'))
    expect(server.count('GET /api/referral/info')).toBe(before + 1)
  })

  it('is read again each time that the screen appears', async () => {
    const { server } = openTeam(somebody)
    await screen.findByText('60.0%')
    cleanup()
    const before = server.count('GET /api/referral/info')
    show(<TeamScreen />)
    await waitFor(() => expect(server.count('GET /api/referral/info')).toBe(before + 1))
  })
})
