import { DAY_MS, MINUTE_MS } from '#rules/constants'

/** What a suspicious team is judged by: numbers of direct members, of those that were looked at. */
export type TeamEvidence = {
  /** Direct members that were looked at: those that joined last, without deleted ones. */
  members: number
  /** Who signed up in a minute in which at least two others of the team did. */
  sameMinute: number
  /** Who never earned anything, of those who signed up more than a day ago. */
  neverMined: number
  olderThanADay: number
  disposable: number
  /** Most members who signed in from one network, of those whose network is known. */
  sharedNetwork: number
  networkKnown: number
  /** Of the same minute or the most shared network, older than a day; of these, who never earned anything. */
  together: number
  togetherIdle: number
}

/** Teams below this size are not looked at: their boost is small, and chance is large. */
const SMALLEST_TEAM = 5
/** Score from which a team is shown to operators: one honest team in 2⁷ = 128 looks so by chance. */
export const SUSPICIOUS = 7

/**
 * Assumed of honest teams: half never start, and one in ten has a throw-away mailbox. An event, a family or a
 * carrier puts many on one network or into one minute, so that alone counts nothing.
 */
const HONEST = { neverMined: 0.5, disposable: 0.1 }

/** How unlikely at least `hits` of `tries` are, if each has this chance: −log₂ of the probability. */
function surprise(hits: number, tries: number, chance: number): number {
  let probability = 0
  let ways = 1
  for (let n = 0; n <= tries; n++) {
    if (n >= hits) probability += ways * chance ** n * (1 - chance) ** (tries - n)
    ways = (ways * (tries - n)) / (n + 1)
  }
  return Math.max(0, -Math.log2(probability))
}

/** How bought a team's growth looks: each point halves the chance that an honest team looks so. */
export function suspicion({ members, disposable, together, togetherIdle }: TeamEvidence): number {
  if (members < SMALLEST_TEAM) return 0
  return Math.round(
    surprise(togetherIdle, together, HONEST.neverMined) +
      surprise(disposable, members, HONEST.disposable),
  )
}

/** The evidence in sentences, for an operator; kinds that say nothing are left out. */
export function evidenceLines(evidence: TeamEvidence): string[] {
  const { members, sameMinute, neverMined, olderThanADay, disposable } = evidence
  const { sharedNetwork, networkKnown, together, togetherIdle } = evidence
  return [
    togetherIdle > 0 &&
      `${togetherIdle} of ${together} who signed up together or share a network have never mined`,
    disposable > 0 && `${disposable} of ${members} have a throw-away mailbox`,
    sameMinute > 0 && `${sameMinute} of ${members} signed up in the same minute as two others`,
    sharedNetwork > 1 && `${sharedNetwork} of ${networkKnown} signed in from one network`,
    neverMined > 0 && `${neverMined} of ${olderThanADay} have never mined`,
  ].filter((line) => line !== false)
}

/** A direct member as the evidence needs it; times are real, ms. */
export type TeamMemberFacts = {
  signedUpAt: number
  hasMined: boolean
  isDisposable: boolean
  networks: string[]
}

/** Networks behind which there may be anybody: private ones, those of this machine, unknown ones. */
const SAYS_NOTHING =
  /^(10|127|172\.(1[6-9]|2\d|3[01])|192\.168|169\.254|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(f[cde]|unknown|::)/

function mostShared(networks: string[][]): [name: string | undefined, members: number] {
  const counts = new Map<string, number>()
  for (const name of networks.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [most = [undefined, 0] as const] = [...counts].sort(([, one], [, other]) => other - one)
  return [...most]
}

/** Counts the evidence of a team. */
export function evidenceOf(members: TeamMemberFacts[], now: number): TeamEvidence {
  const times = members.map(({ signedUpAt }) => signedUpAt).sort((one, other) => one - other)
  /** Three within 60 seconds, wherever the minute begins. */
  const isBurst = (at: number) =>
    times.filter((time) => Math.abs(time - at) < MINUTE_MS).length >= 3
  const known = members
    .map(({ networks }) => networks.filter((name) => !SAYS_NOTHING.test(name)))
    .filter((networks) => networks.length > 0)
  const [network, sharedNetwork] = mostShared(known)
  const older = members.filter(({ signedUpAt }) => now - signedUpAt > DAY_MS)
  const together = older.filter(
    ({ signedUpAt, networks }) =>
      isBurst(signedUpAt) ||
      (network !== undefined && sharedNetwork >= 3 && networks.includes(network)),
  )
  const idle = (of: TeamMemberFacts[]) => of.filter(({ hasMined }) => !hasMined).length
  return {
    members: members.length,
    sameMinute: times.filter(isBurst).length,
    neverMined: idle(older),
    olderThanADay: older.length,
    disposable: members.filter(({ isDisposable }) => isDisposable).length,
    sharedNetwork,
    networkKnown: known.length,
    together: together.length,
    togetherIdle: idle(together),
  }
}
