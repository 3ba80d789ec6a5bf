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
      networks: [`10.${at}.x.x`],
      ...change(at),
    }),
  )
const score = (members: TeamMemberFacts[]) => suspicion(evidenceOf(members, NOW))

const burst = (at: number) => ({ signedUpAt: NOW - 2 * DAY_MS + at * 5 * SECOND_MS })
const idle = { hasMined: false }
const oneNetwork = { networks: ['203.0.x.x'] }

describe('the score of a team', () => {
  it.each<[string, (at: number) => Partial<TeamMemberFacts>]>([
    ['ten throw-away mailboxes', () => ({ isDisposable: true })],
    ['ten accounts of one minute that never mine', (at) => ({ ...burst(at), ...idle })],
    ['ten accounts of one network that never mine', () => ({ ...oneNetwork, ...idle })],
  ])('%s are suspicious', (_, change) => {
    expect(score(team(change))).toBeGreaterThanOrEqual(SUSPICIOUS)
  })

  it.each<[string, (at: number) => Partial<TeamMemberFacts>]>([
    ['an honest team', () => ({})],
    ['a family on one network', () => oneNetwork],
    ['a team that never started', () => idle],
    ['an event: one minute, one network', (at) => ({ ...burst(at), ...oneNetwork })],
    [
      'a carrier’s network and half of them idle',
      (at) => ({ ...oneNetwork, hasMined: at % 2 === 0 }),
    ],
    ['three throw-away mailboxes of ten', (at) => ({ isDisposable: at < 3 })],
    [
      'sign-ups of today that have not mined',
      () => ({ ...idle, ...oneNetwork, signedUpAt: NOW - 1 }),
    ],
  ])('%s: not suspicious', (_, change) => {
    expect(score(team(change))).toBeLessThan(SUSPICIOUS)
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
  })
  expect(evidenceLines(evidence)).toEqual([
    '3 of 10 signed up in the same minute as two others',
    '5 of 10 have never mined',
    '1 of 10 have a throw-away mailbox',
    '3 of 10 signed in from one network',
  ])
})
