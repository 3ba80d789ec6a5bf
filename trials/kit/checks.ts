import { audit } from '#db/ledger/audit'
import { auditSeals } from '#db/ledger/seals/audit-seals'
import { creditLagSeconds, findMissedCredits } from '#db/mining/credit-lag'
import type { Db } from '#db/postgres/statements/transaction'
import { INTERVALS } from '#rules/constants'
import { INBOX_ROWS } from '#rules/inbox'
import { MILESTONES } from '#rules/money/milestones'
import { type Money, sum, toUnits } from '#rules/money/money'
import type { Claimed } from './member.ts'
import { until } from './until.ts'

/** Invariants that hold after any fault; each check adds its violations to `problems`. */

/** Speed of product time under load: an interval every 2 s, a session in 2.4 minutes. */
export const SPEED = 600

export async function checkAudit(db: Db, problems: Set<string>): Promise<void> {
  for (const { rule, rows } of (await audit(db)).problems) {
    problems.add(`${rule}: ${JSON.stringify(rows[0])}`)
  }
}

export async function checkSeals(db: Db, problems: Set<string>): Promise<void> {
  for (const [rule, [row]] of Object.entries(await auditSeals(db))) {
    if (row) problems.add(`${rule}: ${JSON.stringify(row)}`)
  }
}

/** Facts of the members whose inbox is not full: each of these kinds has a row exactly if its fact exists. */
const INBOX_SQL = `
  with facts as (
    select "referredBy" as "userId", 'member-joined' as kind, id::text as fact
    from users where "referredBy" is not null
    union all
    select u.id, 'milestone-ready', m::text from users u, unnest(:milestones::integer[]) m
    where u."teamSize" >= m
    union all
    select "userId", 'milestone-paid', milestone::text from team_milestones where achieved
    union all
    select "userId", 'session-ended', id::text from mining_sessions
    where not active and "creditedIntervals" = ${INTERVALS}
  ), rows as (
    select "userId", kind, fact from inbox where kind in (select distinct kind from facts)
  ), full_ones as (
    select "userId" from inbox group by 1 having count(*) >= ${INBOX_ROWS}
  )
  select "userId", kind, fact, rows.fact is null as lost
  from facts full join rows using ("userId", kind, fact)
  where (facts.fact is null or rows.fact is null)
    and "userId" not in (select "userId" from full_ones)`

/** Adds inbox rows without a fact and facts without a row to `problems`. Returns the number of rows. */
export async function checkInbox(db: Db, problems: Set<string>): Promise<number> {
  const milestones = MILESTONES.map(({ members }) => members)
  const { rows } = await db.raw(INBOX_SQL, { milestones })
  for (const row of rows) problems.add(`inbox and facts differ: ${JSON.stringify(row)}`)
  return Number((await db('inbox').count().first())?.count)
}

/** A claim may take effect unacknowledged: a frozen gateway can execute it after another has refused it. */
async function checkClaims(
  db: Db,
  claims: ReadonlyMap<string, Claimed>,
  problems: Set<string>,
): Promise<void> {
  const stored: { key: string; answer: Claimed }[] = await db('idempotency_keys')
    .where({ route: 'POST /api/mining/claim' })
    .whereNotNull('answer')
    .select('key', 'answer')
  const answers = new Map(stored.map(({ key, answer }) => [key, answer]))
  for (const [key, { claimedTesp, claimedUsdt }] of claims) {
    const answer = answers.get(key)
    if (answer?.claimedTesp !== claimedTesp || answer.claimedUsdt !== claimedUsdt) {
      problems.add(`claim ${key}: acknowledged ${claimedTesp}, stored ${answer?.claimedTesp}`)
    }
  }
  const { tesp, usdt } = sumOf(answers.values())
  for (const [tokenType, answered] of Object.entries({ TESP: tesp, USDT: usdt })) {
    const row = await db('wallet_activity')
      .where('id', 'like', 'claim:%')
      .where({ tokenType })
      .first(db.raw('coalesce(sum(amount), 0)::text as paid'))
    if (toUnits(row.paid) !== toUnits(answered)) {
      problems.add(`claims of ${tokenType}: answers say ${answered}, the ledger paid ${row.paid}`)
    }
  }
}

export function sumOf(claims: Iterable<Claimed>): { tesp: Money; usdt: Money } {
  let tesp: Money = '0'
  let usdt: Money = '0'
  for (const { claimedTesp, claimedUsdt } of claims) {
    tesp = sum(tesp, claimedTesp)
    usdt = sum(usdt, claimedUsdt)
  }
  return { tesp, usdt }
}

/**
 * Every violated rule once credits are on time.
 * @param claims acknowledged ones; absent under load, because their answers and rows are read one after the other
 * @param lagS longest lag of credits, seconds of product time; 0 while it stands still
 */
export async function brokenRules(
  db: Db,
  claims?: ReadonlyMap<string, Claimed>,
  lagS = SPEED * 5,
): Promise<string[]> {
  const problems = new Set<string>()
  // The lag covers what is due since the last sweep, so anything older is returned to the sweeps.
  await findMissedCredits(db)
  const isOnTime = async () => (await creditLagSeconds(db)) <= lagS
  await until('credits are on time', isOnTime).catch(({ message }) => problems.add(message))
  await checkAudit(db, problems)
  if (claims) await checkClaims(db, claims, problems)
  return [...problems]
}
