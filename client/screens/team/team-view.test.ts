import { describe, expect, it } from 'vitest'
import { MILESTONES } from '#rules/money/milestones'
import {
  boostText,
  checkOutcome,
  milestoneProgress,
  nextRewardText,
  reasonText,
  referralLink,
  usdtPercent,
} from './team-view.ts'
import { aReferralInfo } from './testing/a-team.ts'

/** A team of this size, whose first `paid` milestones are paid. */
const teamOf = (teamSize: number, paid: number) =>
  aReferralInfo({
    teamSize,
    milestones: MILESTONES.map((one, at) => ({ ...one, achieved: at < paid })),
  })

describe('milestone progress', () => {
  it.each([
    [0, 0, 0, '0 of 10 members', '10 to the next milestone'],
    [9, 0, 90, '9 of 10 members', '1 to the next milestone'],
    [12, 0, 100, '10 of 10 members', 'Milestone reached, reward not received yet'],
    [10, 1, 40, '10 of 25 members', '15 to the next milestone'],
    [30, 2, 60, '30 of 50 members', '20 to the next milestone'],
    [99, 3, 99, '99 of 100 members', '1 to the next milestone'],
    [100, 4, 100, '100 members reached', '400 to the next milestone'],
    [499, 4, 100, '100 members reached', '1 to the next milestone'],
    [500, 5, 100, '100 members reached', '500 to the next milestone'],
    [5_000, 6, 100, '100 members reached', 'All milestones reached'],
  ])(
    'a team of %i members with %i paid milestones is at %i percent',
    (size, paid, percent, text, left) => {
      expect(milestoneProgress(teamOf(size, paid))).toEqual({ percent, text, left })
    },
  )
})

it('the boost of the team screen has one decimal', () => {
  expect(boostText(aReferralInfo({ miningBoost: 0.35 }))).toBe('35.0%')
  expect(boostText(aReferralInfo({ miningBoost: 0.05 * 3 }))).toBe('15.0%')
})

describe('next reward', () => {
  const withPaid = (count: number) =>
    aReferralInfo({ milestones: MILESTONES.map((one, at) => ({ ...one, achieved: at < count })) })

  it('the next reward is that of the first unpaid milestone', () => {
    expect(nextRewardText(withPaid(0))).toBe('5 TESP')
    expect(nextRewardText(withPaid(4))).toBe('250 TESP')
  })

  it('it is what the next check pays once milestones are reached', () => {
    expect(nextRewardText(teamOf(26, 0))).toBe('20 TESP')
    expect(nextRewardText(teamOf(26, 1))).toBe('15 TESP')
  })

  it('the next reward is -- when all milestones are paid', () => {
    expect(nextRewardText(withPaid(6))).toBe('--')
  })
})

it('USDT rates are shown in percent', () => {
  const rates = MILESTONES.map((one) => usdtPercent({ ...one, achieved: false }))
  expect(rates).toEqual(['2%', '3%', '5%', '8%', '10%', '12%'])
})

it('a milestone reward names its milestone, and any other reason is shown as it is', () => {
  expect(reasonText('Team milestone: 1000 members')).toBe('Team milestone: 1,000\u00a0members')
  expect(reasonText('Correction')).toBe('Correction')
})

it('the referral link opens the register form with the code', () => {
  expect(referralLink('https://tesp.example', 'TESPABC234')).toBe(
    'https://tesp.example/auth?ref=TESPABC234',
  )
})

describe('outcome of a milestone check', () => {
  const newMilestones = [{ members: 10, reward: '5.00000000', usdt: '0.10000000' }]

  it('the toast of a milestone check names the paid USDT', () => {
    const description = 'You have received 0.10 USDT from team milestones.'
    const outcome = checkOutcome({ success: true, usdtRewarded: 0.1, newMilestones }, true)
    expect(outcome).toEqual({ title: 'Success!', description })
  })

  it('the outcome names a new milestone without USDT', () => {
    const description = 'You have reached a new team milestone.'
    const outcome = checkOutcome({ success: true, usdtRewarded: 0, newMilestones }, true)
    expect(outcome).toEqual({ title: 'New Milestone!', description })
  })

  it('a ready milestone that another device was paid for is a new milestone', () => {
    const outcome = checkOutcome({ success: true, usdtRewarded: 0, newMilestones: [] }, true)
    expect(outcome.title).toBe('New Milestone!')
  })

  it('the outcome says when there is no new milestone', () => {
    const outcome = checkOutcome({ success: true, usdtRewarded: 0, newMilestones: [] }, false)
    expect(outcome).toEqual({ title: 'No New Milestones' })
  })
})
