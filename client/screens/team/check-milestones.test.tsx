import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { json, refusal, serve } from '#client/testing/server.ts'
import { checkMilestones, payoutAtom } from './team-commands.ts'
import { aReferralInfo } from './testing/a-team.ts'
import { button, leaderInfo, openTeam, panel, setInfo, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

describe('a ready milestone', () => {
  const ready = aReferralInfo({ ...leaderInfo, teamSize: 26 })
  const paid = aReferralInfo({
    ...ready,
    asOf: NOW + 1,
    milestones: ready.milestones.map((one, at) => ({ ...one, achieved: at < 2 })),
  })
  const card = () => screen.findByRole('region', { name: /^Milestone (reached|paid)/ })

  it('is announced with both amounts and paid by one press', async () => {
    const { user } = openTeam(ready, {
      'GET /api/referral/check-milestones': () => {
        setInfo(paid)
        return json({
          success: true,
          usdtRewarded: 0.45,
          newMilestones: [{ members: 25, reward: '15.00000000', usdt: '0.45000000' }],
        })
      },
    })
    expect((await card()).textContent).toContain('Milestone reached: 25 members')
    expect((await card()).textContent).toContain('15.00 TESP and 0.45 USDT')
    const primary = screen
      .getAllByRole('button')
      .filter((one) => one.className.includes('from-mint'))
    expect(primary.map(({ textContent }) => textContent)).toEqual(['Receive reward'])
    await user.click(await button('Receive reward'))
    expect(await findToast('You have received 0.45 USDT from team milestones.')).toBeTruthy()
    await screen.findByText('Milestone paid: 25 members')
    expect(document.activeElement).toBe(await card())
    expect((await card()).textContent).toContain('15.00 TESP and 0.45 USDT')
  })

  it('paid by another device is reported as a new milestone', async () => {
    const { user } = openTeam(ready, {
      'GET /api/referral/check-milestones': () => {
        setInfo(paid)
        return json({ success: true, usdtRewarded: 0, newMilestones: [] })
      },
    })
    await user.click(await button('Receive reward'))
    expect(await findToast('New Milestone!')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(/^Milestone reached/)).toBeNull())
  })

  it('what it paid to a member is not shown to the next one', async () => {
    serve({
      'GET /api/referral/check-milestones': () =>
        json({
          success: true,
          usdtRewarded: 0.45,
          newMilestones: [{ members: 25, reward: '15.00000000', usdt: '0.45000000' }],
        }),
    })
    await checkMilestones('check-reward')
    expect(store.get(payoutAtom)?.tesp).toBe('15.00000000')
    setUser(aUser({ id: 8 }))
    expect(store.get(payoutAtom)).toBeNull()
  })

  it('below the next milestone no card is shown', async () => {
    openTeam(leaderInfo)
    await screen.findByText('60.0%')
    expect(screen.queryByText(/^Milestone (reached|paid)/)).toBeNull()
  })
})

describe('checking milestones', () => {
  it.each(['Check new milestones', 'Check Milestone'])(
    '%s pays new milestones and reads the team again',
    async (name) => {
      const { server, user } = openTeam(leaderInfo, {
        'GET /api/referral/check-milestones': () => {
          setInfo(aReferralInfo({ ...leaderInfo, asOf: NOW + 1, teamSize: 26 }))
          return json({
            success: true,
            usdtRewarded: 0.45,
            newMilestones: [{ members: 25, reward: '15', usdt: '0.45' }],
          })
        },
      })
      await waitFor(async () => expect(isDisabled(await button(name))).toBe(false))
      await user.click(await button(name))
      expect(await findToast('Success!')).toBeTruthy()
      expect(await findToast('You have received 0.45 USDT from team milestones.')).toBeTruthy()
      expect(await panel('Total Referrals').findByText('26')).toBeTruthy()
      const check = server.sent.find(({ route }) => route.endsWith('check-milestones'))
      expect(check?.headers.get('Idempotency-Key')).toBeTruthy()
    },
  )

  it('a check without new milestones shows No New Milestones', async () => {
    const { user } = openTeam(leaderInfo, {
      'GET /api/referral/check-milestones': () =>
        json({ success: true, usdtRewarded: 0, newMilestones: [] }),
    })
    await screen.findByText('60.0%')
    await user.click(await button('Check Milestone'))
    expect(await findToast('No New Milestones')).toBeTruthy()
  })

  it('a failed check shows the fallback message', async () => {
    const { user } = openTeam(leaderInfo, {
      'GET /api/referral/check-milestones': () => refusal(500, 'Something went wrong'),
    })
    await screen.findByText('60.0%')
    await user.click(await button('Check Milestone'))
    expect(await findToast('Error!')).toBeTruthy()
    const text = 'Unable to check team milestones. Please try again later.'
    expect(await findToast(text)).toBeTruthy()
  })
})
