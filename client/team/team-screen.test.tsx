import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import { MILESTONES } from '#rules/milestones'
import type { ReferralInfo } from '#rules/snapshots'
import { TeamScreen } from './team-screen.tsx'
import { aReferralInfo, teamMembers } from './testing/a-team.ts'

const somebody = aReferralInfo({
  referralCode: 'TESPABC234',
  referrer: { username: 'linh' },
  teamSize: 12,
  miningBoost: 0.6,
  milestones: MILESTONES.map((one, at) => ({ ...one, achieved: at < 1 })),
  teamMembers: teamMembers(12, 1),
  usdtRewards: [
    { id: 1, reason: 'Team milestone: 10 members', amount: 5, createdAt: '2026-02-01T10:00:00Z' },
    {
      id: 2,
      reason: 'Team milestone: 25 members',
      amount: 15.5,
      createdAt: '2026-02-09T10:00:00Z',
    },
  ],
})

/** What the server knows; an action that changes it replaces it. */
let info: ReferralInfo

function open(known: ReferralInfo, handlers: Parameters<typeof serve>[0] = {}) {
  info = known
  const server = serve({ 'GET /api/referral/info': () => json(info), ...handlers })
  show(<TeamScreen />)
  return { server, user: userEvent.setup({ delay: null }) }
}

const said = (text: string) => screen.findByText(text, { selector: 'ol li *' })
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
/** The panel under that heading. */
const panel = (name: string) =>
  within(screen.getByRole('heading', { name }).closest('section') as HTMLElement)

beforeEach(() => {
  startAs()
  clearToast()
})
afterEach(() => vi.unstubAllGlobals())

describe('the four cards', () => {
  it('show size, boost, milestones and the next reward', async () => {
    open(somebody)
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
    open(somebody, { 'GET /api/referral/info': () => new Promise(() => {}) })
    expect(panel('Total Referrals').queryByText(/\d/)).toBeNull()
    expect(panel('Mining Boost').queryByText(/^\d/)).toBeNull()
    expect(screen.queryByText('No referred members yet')).toBeNull()
    expect(screen.queryByText('No TESP rewards yet')).toBeNull()
    expect(screen.getByText('Loading team members')).toBeTruthy()
  })
})

describe('checking milestones', () => {
  it.each(['Check new milestones', 'Check Milestone'])(
    'by %s pays and reads again',
    async (name) => {
      const { server, user } = open(somebody, {
        'GET /api/referral/check-milestones': () => {
          info = aReferralInfo({ ...somebody, asOf: NOW + 1, teamSize: 26 })
          return json({
            success: true,
            usdtRewarded: 0.45,
            newMilestones: [{ members: 25, reward: '15', usdt: '0.45' }],
          })
        },
      })
      await waitFor(async () => expect((await button(name)).disabled).toBe(false))
      await user.click(await button(name))
      expect(await said('Success!')).toBeTruthy()
      expect(await said('You have received 0.45 USDT from team milestones.')).toBeTruthy()
      expect(await panel('Total Referrals').findByText('26')).toBeTruthy()
      const check = server.sent.find(({ route }) => route.endsWith('check-milestones'))
      expect(check?.headers.get('Idempotency-Key')).toBeTruthy()
    },
  )

  it('says when there is nothing new', async () => {
    const { user } = open(somebody, {
      'GET /api/referral/check-milestones': () =>
        json({ success: true, usdtRewarded: 0, newMilestones: [] }),
    })
    await screen.findByText('60.0%')
    await user.click(await button('Check Milestone'))
    expect(await said('No New Milestones')).toBeTruthy()
  })

  it('says when it failed', async () => {
    const { user } = open(somebody, {
      'GET /api/referral/check-milestones': () => refusal(500, 'Something went wrong'),
    })
    await screen.findByText('60.0%')
    await user.click(await button('Check Milestone'))
    expect(await said('Error!')).toBeTruthy()
    const text = 'Unable to check team milestones. Please try again later.'
    expect(await said(text)).toBeTruthy()
  })
})

describe("the member's own code", () => {
  it('stands there with its link, each to be copied', async () => {
    open(somebody)
    expect(await screen.findByText('TESPABC234')).toBeTruthy()
    expect(screen.getByText(`${window.location.origin}/auth?ref=TESPABC234`)).toBeTruthy()
    expect(await button('Copy referral link')).toBeTruthy()
    expect(await button('Copy referral code')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Generate referral code' })).toBeNull()
  })

  it('goes to the clipboard', async () => {
    const { user } = open(somebody)
    await user.click(await button('Copy referral link'))
    expect(await screen.findByText('Copied!')).toBeTruthy()
    const copied = await navigator.clipboard.readText()
    expect(copied).toBe(`${window.location.origin}/auth?ref=TESPABC234`)
  })

  it('is made on demand', async () => {
    const { user } = open(aReferralInfo(), {
      'POST /api/referral/generate-code': () => {
        info = aReferralInfo({ referralCode: 'TESPNEW234', asOf: NOW + 1 })
        return json({ success: true, referralCode: 'TESPNEW234' })
      },
    })
    await user.click(await button('Generate referral code'))
    expect(await said('A new referral code has been created for you.')).toBeTruthy()
    expect(await screen.findByText('TESPNEW234')).toBeTruthy()
  })

  it('is not made when the server fails', async () => {
    const { user } = open(aReferralInfo(), {
      'POST /api/referral/generate-code': () => refusal(503, 'Service temporarily unavailable'),
    })
    await user.click(await button('Generate referral code'))
    expect(await said('Error!')).toBeTruthy()
    const text = 'Unable to create referral code. Please try again later.'
    expect(await said(text)).toBeTruthy()
  })

  it('shows its owner why it is frozen', async () => {
    open(aReferralInfo({ ...somebody, frozenReason: 'Many sign-ups from one address' }))
    expect(await screen.findByText(/Many sign-ups from one address/)).toBeTruthy()
  })
})

describe("applying somebody's code", () => {
  const field = () => screen.findByPlaceholderText<HTMLInputElement>('Enter TESP-XXXXX')
  const apply = () => button('Apply Referral Code')

  it('is not offered to who has a referrer', async () => {
    open(somebody)
    await screen.findByText('60.0%')
    expect(screen.queryByText('Enter Referral Code')).toBeNull()
  })

  it('waits for more than blanks', async () => {
    const { user } = open(aReferralInfo())
    expect(await screen.findByLabelText('Enter Referral Code')).toBe(await field())
    expect((await apply()).disabled).toBe(true)
    await user.type(await field(), '   ')
    expect((await apply()).disabled).toBe(true)
    await user.type(await field(), 'T')
    expect((await apply()).disabled).toBe(false)
  })

  it('sends it under a key, and the form goes', async () => {
    const { server, user } = open(aReferralInfo(), {
      'POST /api/referral/apply-code': () => {
        info = aReferralInfo({ referrer: { username: 'linh' }, asOf: NOW + 1 })
        return json({ success: true, message: 'Referral code applied successfully' })
      },
    })
    await user.type(await field(), ' tesp-abc234 {Enter}')
    expect(await said('Referral code applied successfully')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Enter Referral Code')).toBeNull())
    const sent = server.sent.find(({ route }) => route === 'POST /api/referral/apply-code')
    expect(JSON.parse(String(sent?.init.body))).toEqual({ referralCode: 'tesp-abc234' })
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
  })

  it('repeats a refusal, also under the field until it is changed', async () => {
    const { user } = open(aReferralInfo(), {
      'POST /api/referral/apply-code': () =>
        json({ success: false, message: 'You cannot use your own referral code' }),
    })
    await user.type(await field(), 'TESPOWN234{Enter}')
    expect(await said('Failed!')).toBeTruthy()
    expect(await said('You cannot use your own referral code')).toBeTruthy()
    await waitFor(async () => expect((await field()).getAttribute('aria-invalid')).toBe('true'))
    await user.type(await field(), 'X')
    expect((await field()).getAttribute('aria-invalid')).toBeNull()
  })

  it('says when it failed', async () => {
    const { user } = open(aReferralInfo(), {
      'POST /api/referral/apply-code': () => refusal(500, 'Something went wrong'),
    })
    await user.type(await field(), 'TESPABC234{Enter}')
    expect(await said('Error!')).toBeTruthy()
    const text = 'Unable to apply referral code. Please try again later.'
    expect(await said(text)).toBeTruthy()
  })
})

describe('the lists', () => {
  it('explain direct members and name all milestones', async () => {
    open(somebody)
    await screen.findByText('60.0%')
    const text = 'Each person you directly refer helps increase mining speed by +5%/person'
    expect(screen.getByRole('heading', { name: 'F1 - Direct Members' })).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows).toContain('10 members, achieved2%5 TESP')
    expect(rows).toContain('25 members, not achieved3%15 TESP')
    expect(rows).toContain('1,000 members, not achieved12%500 TESP')
  })

  it('show each member with name, e-mail, badge and date', async () => {
    open(somebody)
    const list = within(await screen.findByRole('region', { name: 'List of team members' }))
    const [first] = list.getAllByRole('listitem')
    expect(list.getAllByRole('listitem')).toHaveLength(12)
    expect(first?.textContent).toContain('member12')
    expect(first?.textContent).toContain('member12@example.com')
    expect(first?.textContent).toContain('F1')
    const joined = somebody.teamMembers[0]?.createdAt
    expect(first?.querySelector('time')?.dateTime).toBe(joined)
  })

  it('show rewards newest first with two decimals', async () => {
    open(somebody)
    await screen.findByText('60.0%')
    const rows = panel('Recent rewards').getAllByRole('listitem')
    expect(rows[0]?.textContent).toMatch(/^Team milestone: 25 members.*15\.50 TESP$/)
    expect(rows[1]?.textContent).toMatch(/^Team milestone: 10 members.*5\.00 TESP$/)
  })

  it('say when they are empty', async () => {
    open(aReferralInfo())
    expect(await screen.findByText('No referred members yet')).toBeTruthy()
    expect(await screen.findByText('No TESP rewards yet')).toBeTruthy()
  })

  it('read older members by a press, and draw what is scrolled to', async () => {
    const { user } = open(
      aReferralInfo({ ...somebody, teamSize: 130, teamMembers: teamMembers(130, 31) }),
      { 'GET /api/referral/members': () => json(teamMembers(30, 1)) },
    )
    const box = await screen.findByRole('region', { name: 'List of team members' })
    expect(within(box).getByText('member130')).toBeTruthy()
    await user.click(await button('Load more'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull())
    expect(within(box).queryByText('member1')).toBeNull()
    box.scrollTop = 130 * 64
    act(() => void box.dispatchEvent(new Event('scroll')))
    expect(within(box).getByText('member1').closest('li')?.getAttribute('aria-posinset')).toBe(
      '130',
    )
    expect(within(box).queryByText('member130')).toBeNull()
  })
})

describe('the information', () => {
  it('says that it could not be loaded, and can be tried again', async () => {
    let broken = true
    const { user } = open(somebody, {
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
    const { server } = open(somebody)
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
    const { server } = open(somebody)
    await screen.findByText('60.0%')
    cleanup()
    const before = server.count('GET /api/referral/info')
    show(<TeamScreen />)
    await waitFor(() => expect(server.count('GET /api/referral/info')).toBe(before + 1))
  })
})
