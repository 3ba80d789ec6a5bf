import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import {
  evidenceLines,
  evidenceOf,
  SUSPICIOUS,
  suspicion,
  type TeamMemberFacts,
} from './team-evidence.ts'

const NOW = Date.parse('2026-11-24T12:00:00Z')

/** Ten honest members of a week: one each 17 hours, all of whom mine, each on a network of their own. */
const team = (change: (at: number) => Partial<TeamMemberFacts> = () => ({}), count = 10) =>
  Array.from(
    { length: count },
    (_, at): TeamMemberFacts => ({
      signedUpAt: NOW - 2 * DAY_MS - at * 17 * 60 * MINUTE_MS,
      hasMined: true,
      isDisposable: false,
      networks: [`198.${at}.x.x`],
      ...change(at),
    }),
  )
const score = (members: TeamMemberFacts[]) => suspicion(evidenceOf(members, NOW))

const burst = (at: number) => ({ signedUpAt: NOW - 2 * DAY_MS + at * 5 * SECOND_MS })
const idle = { hasMined: false }
const oneNetwork = { networks: ['203.0.x.x'] }
const halfIdle = (at: number) => ({ hasMined: at % 2 === 0 })

describe('the score of a team', () => {
  it.each<[string, number, TeamMemberFacts[]]>([
    ['ten throw-away mailboxes', 33, team(() => ({ isDisposable: true }))],
    ['ten accounts of one minute that never mine', 10, team((at) => ({ ...burst(at), ...idle }))],
    ['ten accounts of one network that never mine', 10, team(() => ({ ...oneNetwork, ...idle }))],
    [
      'ten of them among forty honest members',
      10,
      [
        ...team((at) => ({ ...burst(at), ...idle })),
        ...team((at) => ({ ...halfIdle(at), signedUpAt: NOW - (9 + at) * DAY_MS }), 40),
      ],
    ],
    [
      'five idle accounts of one minute with throw-away mailboxes',
      22,
      team((at) => ({ ...burst(at), ...idle, isDisposable: true }), 5),
    ],
  ])('%s are suspicious: %i', (_, points, members) => {
    expect(score(members)).toBe(points)
    expect(points).toBeGreaterThan(SUSPICIOUS)
  })

  it.each<[string, TeamMemberFacts[]]>([
    ['an honest team', team()],
    ['a family on one network', team(() => oneNetwork)],
    ['a team that never started', team(() => idle)],
    ['an event: one minute, one network', team((at) => ({ ...burst(at), ...oneNetwork }))],
    ['a carrier’s network, half of them idle', team((at) => ({ ...oneNetwork, ...halfIdle(at) }))],
    [
      'a class of thirty in one minute, half of them idle',
      team((at) => ({ ...burst(at), ...oneNetwork, ...halfIdle(at) }), 30),
    ],
    ['three throw-away mailboxes of ten', team((at) => ({ isDisposable: at < 3 }))],
    [
      'sign-ups of today that have not mined',
      team(() => ({ ...idle, ...oneNetwork, signedUpAt: NOW - 1 })),
    ],
    [
      'idle members behind a proxy that is not trusted, so that all seem to come from it',
      team(() => ({ ...idle, networks: ['172.18.x.x'] })),
    ],
  ])('%s: at most half of what is listed', (_, members) => {
    expect(score(members)).toBeLessThanOrEqual(SUSPICIOUS / 2 + 0.5)
  })

  it('a team below five is not judged', () => {
    expect(score(team((at) => ({ ...burst(at), ...idle, isDisposable: true }), 4))).toBe(0)
  })
})

it('the evidence is counted and said in sentences', () => {
  const members = team((at) => ({
    ...(at < 3 && { ...burst(at), ...oneNetwork }),
    hasMined: at > 4,
    isDisposable: at === 9,
  }))
  const evidence = evidenceOf(members, NOW)
  expect(evidence).toEqual({
    members: 10,
    sameMinute: 3,
    neverMined: 5,
    olderThanADay: 10,
    disposable: 1,
    sharedNetwork: 3,
    networkKnown: 10,
    together: 3,
    togetherIdle: 3,
  })
  expect(evidenceLines(evidence)).toEqual([
    '3 of 3 who signed up together or share a network have never mined',
    '1 of 10 have a throw-away mailbox',
    '3 of 10 signed up in the same minute as two others',
    '3 of 10 signed in from one network',
    '5 of 10 have never mined',
  ])
})
