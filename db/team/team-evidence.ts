import { DAY_MS, MINUTE_MS } from '#rules/constants'

/** What a suspicious team is judged by: numbers of direct members, of those that were looked at. */
export type TeamEvidence = {
  /** Newest direct members that were looked at, without deleted ones. */
  members: number
  /** Who signed up in a minute in which at least two others of the team did. */
  sameMinute: number
  /** Who never earned anything, of those who signed up more than a day ago. */
  neverMined: number
  olderThanADay: number
  /** Whose mailbox belongs to a service for throw-away addresses. */
  disposable: number
  /** Most members who signed in from one network, of those whose network is known. */
  sharedNetwork: number
  networkKnown: number
}

/** Teams below this size are not looked at: their boost is small, and chance is large. */
export const SMALLEST_TEAM = 5
/** Score from which a team is shown to operators. */
export const SUSPICIOUS = 50

/**
 * What one kind of evidence adds at most. Only throw-away mailboxes suffice alone; one minute and one network
 * together are an event where people sign up, unless they never mine.
 */
const WEIGHTS = { disposable: 60, neverMined: 40, sameMinute: 25, sharedNetwork: 20 }

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
/** Of an honest team half may never start, and share a carrier's network: only the rest counts. */
const aboveHalf = (part: number, whole: number) => Math.max(0, share(part, whole) * 2 - 1)

/** How bought a team's growth looks, 0 to 145; `SUSPICIOUS` is the threshold. */
export function suspicion(evidence: TeamEvidence): number {
  const { members, sameMinute, neverMined, olderThanADay, disposable } = evidence
  const { sharedNetwork, networkKnown } = evidence
  if (members < SMALLEST_TEAM) return 0
  const isKnown = networkKnown >= SMALLEST_TEAM
  const score =
    WEIGHTS.disposable * share(disposable, members) +
    WEIGHTS.neverMined * aboveHalf(neverMined, olderThanADay) * share(olderThanADay, members) +
    WEIGHTS.sameMinute * share(sameMinute, members) +
    (isKnown ? WEIGHTS.sharedNetwork * aboveHalf(sharedNetwork, networkKnown) : 0)
  return Math.round(score)
}

/** The evidence in sentences, for an operator; kinds that say nothing are left out. */
export function evidenceLines(evidence: TeamEvidence): string[] {
  const { members, sameMinute, neverMined, olderThanADay, disposable } = evidence
  const { sharedNetwork, networkKnown } = evidence
  return [
    sameMinute > 0 && `${sameMinute} of ${members} signed up in the same minute as two others`,
    neverMined > 0 && `${neverMined} of ${olderThanADay} have never mined`,
    disposable > 0 && `${disposable} of ${members} have a throw-away mailbox`,
    sharedNetwork > 1 && `${sharedNetwork} of ${networkKnown} signed in from one network`,
  ].filter((line) => line !== false)
}

/** A direct member as the evidence needs it; times are real, ms. */
export type TeamMemberFacts = {
  signedUpAt: number
  hasMined: boolean
  isDisposable: boolean
  /** Networks of the sign-ins; empty if none is known. */
  networks: string[]
}

/** The largest number of members that have a value in common. */
function most(values: string[][]): number {
  const counts = new Map<string, number>()
  for (const value of values.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** Counts the evidence of a team. */
export function evidenceOf(members: TeamMemberFacts[], now: number): TeamEvidence {
  const times = members.map(({ signedUpAt }) => signedUpAt).sort((one, other) => one - other)
  /** Three within 60 seconds, wherever the minute begins. */
  const isBurst = (at: number) =>
    times.filter((time) => Math.abs(time - at) < MINUTE_MS).length >= 3
  const older = members.filter(({ signedUpAt }) => now - signedUpAt > DAY_MS)
  const known = members.filter(({ networks }) => networks.length > 0)
  return {
    members: members.length,
    sameMinute: times.filter(isBurst).length,
    neverMined: older.filter(({ hasMined }) => !hasMined).length,
    olderThanADay: older.length,
    disposable: members.filter(({ isDisposable }) => isDisposable).length,
    sharedNetwork: most(known.map(({ networks }) => networks)),
    networkKnown: known.length,
  }
}
