import type { Db, Tx } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'
import type { ReadNetworks } from '#runtime/redis/sign-in-networks'
import { evidenceOf, SUSPICIOUS, suspicion, type TeamEvidence } from './team-evidence.ts'

/** Direct members of a team that are looked at: those that joined last. */
const LOOKED_AT = 200
/** Joins that one run looks at; the next one goes on behind them. */
const JOINS_A_RUN = 100

/** The newest are chosen before the join, which otherwise reads the stats of all members for a large team. */
const MEMBERS_SQL = `
  with newest as materialized (
    select u.id, u."createdAt", u."emailKey", r.id as "joinId"
    from referral_rewards r join users u on u.id = r."referredUserId"
    where r."userId" = :ownerId and u."deletedAt" is null order by r.id desc limit ${LOOKED_AT}
  )
  select u.id, u."createdAt" as "signedUpAt", split_part(u."emailKey", '@', 2) as domain,
    (m."totalMined" > 0 or m."pendingRewards" > 0 or s.id is not null) as "hasMined"
  from newest u
  join mining_stats m on m.bucket = ${bucketSql('u.id')} and m."userId" = u.id
  left join mining_sessions s on s.bucket = m.bucket and s."userId" = m."userId" and s.active
  order by u."joinId" desc`

type MemberRow = { id: number; signedUpAt: Date; domain: string; hasMined: boolean }

/** Domains that mailchecker can judge; it calls other names invalid. */
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/

/** Whether a domain, or one above it, gives out throw-away mailboxes. The list is loaded with the first team. */
async function isDisposable(): Promise<(domain: string) => boolean> {
  const { isValid } = await import('mailchecker')
  return (domain) => DOMAIN.test(domain) && !isValid(`somebody@${domain}`)
}

/** A team as it is now. `networks` is absent if Redis is not at hand. */
export async function lookAtTeam(
  db: Db,
  ownerId: number,
  networks?: ReadNetworks,
): Promise<{ score: number; evidence: TeamEvidence; memberIds: number[] }> {
  const { rows } = await db.raw(MEMBERS_SQL, { ownerId })
  const members: MemberRow[] = rows
  const memberIds = members.map(({ id }) => id)
  const known = (await networks?.(memberIds)) ?? []
  const disposable = await isDisposable()
  const facts = members.map(({ signedUpAt, domain, hasMined }, at) => ({
    signedUpAt: signedUpAt.getTime(),
    hasMined,
    isDisposable: disposable(domain),
    networks: known[at] ?? [],
  }))
  const evidence = evidenceOf(facts, Date.now())
  return { score: suspicion(evidence), evidence, memberIds }
}

/** Stores what was found; the score of a dismissal stays for good. @returns whether the team looks suspicious */
async function keep(
  db: Db,
  ownerId: number,
  { score, evidence }: { score: number; evidence: TeamEvidence },
): Promise<boolean> {
  if (score < SUSPICIOUS) {
    const rows = () => db('suspicious_teams').where({ userId: ownerId })
    await rows().whereNull('dismissedScore').delete()
    // The table demands a positive score.
    const found = { score: Math.max(1, score), evidence: JSON.stringify(evidence) }
    await rows().update({ ...found, checkedAt: db.fn.now() })
    return false
  }
  // Not of a member who was deleted meanwhile.
  await db.raw(
    `insert into suspicious_teams ("userId", score, evidence, "checkedAt")
     select id, :score, :evidence, now() from users where id = :ownerId and "deletedAt" is null for update
     on conflict ("userId") do update
       set score = excluded.score, evidence = excluded.evidence, "checkedAt" = excluded."checkedAt"`,
    { ownerId, score, evidence: JSON.stringify(evidence) },
  )
  return true
}

/**
 * Looks at teams that somebody joined a day ago, by when an honest member has mined; returns how many look
 * suspicious. Each run goes on behind the last one, so the work follows the joins. May run twice.
 */
export async function checkGrownTeams(db: Db, networks: ReadNetworks): Promise<number> {
  const { afterId } = await db('team_check_position').first('afterId')
  const next: { id: number; ownerId: number; isDue: boolean }[] = await db('referral_rewards')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(JOINS_A_RUN)
    .select('id', 'userId as ownerId', db.raw(`"createdAt" < now() - interval '1 day' as "isDue"`))
  // A later id may have an earlier time: the first join that is not due holds up those behind it.
  const waits = next.findIndex(({ isDue }) => !isDue)
  const joins = waits < 0 ? next : next.slice(0, waits)
  const last = joins.at(-1)
  if (!last) return 0
  let found = 0
  for (const ownerId of new Set(joins.map((join) => join.ownerId))) {
    if (await keep(db, ownerId, await lookAtTeam(db, ownerId, networks))) found += 1
  }
  const moved = db.raw('greatest("afterId", ?)', [last.id])
  await db('team_check_position').update({ afterId: moved })
  return found
}

/** A team that looks suspicious and was not judged yet. */
export type SuspiciousTeam = {
  ownerId: number
  username: string
  code: string | null
  teamSize: number
  score: number
  evidence: TeamEvidence
  checkedAt: Date
}

const TEAMS = 50

/** Teams to judge, highest score first, none frozen or dismissed at it; `after` is `next` of the page before. */
export async function suspiciousTeams(
  db: Db,
  after?: string,
): Promise<{ teams: SuspiciousTeam[]; next: string | undefined }> {
  const teams = db('suspicious_teams as t')
    .join('users as u', 'u.id', 't.userId')
    .where({ 'u.frozenAt': null, 'u.referralFrozenReason': null })
    .whereRaw('t.score > coalesce(t."dismissedScore", 0)')
    .orderBy([{ column: 't.score', order: 'desc' }, { column: 't.userId' }])
    .limit(TEAMS + 1)
    .select('t.userId as ownerId', 'u.username', 'u.referralCode as code', 'u.teamSize')
    .select('t.score', 't.evidence', 't.checkedAt')
  if (after !== undefined) {
    const [, score, id] = /^(\d{1,4})\.(\d{1,9})$/.exec(after) ?? []
    if (!score || !id) throw new RuleError('bad_input', 'The page does not exist')
    teams.whereRaw('(t.score < :score or (t.score = :score and t."userId" > :id))', { score, id })
  }
  const found: SuspiciousTeam[] = await teams
  const page = found.slice(0, TEAMS)
  const last = page.at(-1)
  const next = found.length > TEAMS && last ? `${last.score}.${last.ownerId}` : undefined
  return { teams: page, next }
}

/** Lists a team again only above both scores, stored and `shown`. @throws {RuleError} `not_found` if not listed */
export async function dismissTeam(tx: Tx, ownerId: number, shown: number): Promise<void> {
  const dismissed = await tx('suspicious_teams')
    .where({ userId: ownerId })
    .update({ dismissedScore: tx.raw('greatest(score, ?::integer)', [shown]) })
  if (dismissed === 0) throw new RuleError('not_found', 'This team is not listed as suspicious')
}
