import { DatabaseError } from 'pg'
import type { Bindings, Engine, MemberBindings, MiningCommand } from '#db/engine/engine'
import { MEMBER_LOCK } from '#db/members/execute-once'
import { startedSession, stoppedSession } from '#db/mining/mining'
import { STATS } from '#db/mining/session-sql'
import { isSettled, type RunningSession, SESSION_COLUMNS, type Starter } from '#db/mining/sessions'
import { CLOCKS, momentOf } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import { inTransaction, pipelineCommit, type Tx } from '#db/postgres/statements/transaction'
import { bucketOf, memberKey } from '#rules/buckets'
import { type Money, minus, sum } from '#rules/money/money'
import type { MiningStatus } from '#rules/snapshots'

/**
 * Group commit: starts and stops that arrive together share each statement and the commit. It takes the same locks as
 * a single command, but skips what is locked, so a slow transaction delays no other member.
 */

/** For the check of a foreign key, which cannot skip: less than PostgreSQL waits to look for a deadlock. */
const LOCK_TIMEOUT = '200ms'

/** Also turns off sequential scans until the commit: PostgreSQL would read small tables whole. */
const LOCK_MEMBERS_SQL = `
  select id, pg_try_advisory_xact_lock(${MEMBER_LOCK}, id) as "isLocked"
  from set_config('lock_timeout', '${LOCK_TIMEOUT}', true) l, set_config('enable_seqscan', 'off', true) s,
    set_config('plan_cache_mode', 'force_generic_plan', true) p, unnest(:ids::integer[]) id`

/** The members of the commands, with what `executeOnce` checks. */
const COMMANDS = 'unnest(:ids::integer[], :buckets::smallint[], :keys::text[]) c (id, bucket, key)'
const REQUEST = `u."authEpoch", exists (
    select from idempotency_keys k where k.bucket = c.bucket and k."userId" = c.id and k.key = c.key
  ) as "isRepeated"`

const LOCK_STARTERS_SQL = `
  select starter.*, nextval('mining_sessions_id_seq') as "sessionId"
  from (
    select u.id as "memberId", u."miningBoost", u."teamLevel", ${STATS}, ${REQUEST},
      exists (select from mining_sessions s where s.bucket = c.bucket and s."userId" = c.id and s.active)
        as "isMining"
    from ${COMMANDS}
    join users u on u.id = c.id
    join mining_stats m on m.bucket = c.bucket and m."userId" = c.id
    for share of u skip locked
  ) starter`

const LOCK_SESSIONS_SQL = `
  select locked.*, u."miningBoost"
  from (
    select ${SESSION_COLUMNS}, ${REQUEST}
    from ${COMMANDS}
    join users u on u.id = c.id
    join mining_sessions s on s.bucket = c.bucket and s."userId" = c.id and s.active
    join mining_stats m on m.bucket = c.bucket and m."userId" = c.id
    for update of s, m skip locked
  ) locked join users u on u.id = locked."userId"`

const START_SQL = `
  insert into mining_sessions
    (id, bucket, "userId", "startTime", "rateSince", "creditSlot", "hashRate", "usdtRate")
  select * from unnest(:sessionId::bigint[], :bucket::smallint[], :userId::integer[], :startTime::timestamptz[],
    :rateSince::timestamptz[], :creditSlot::smallint[], :hashRate::numeric[], :usdtRate::numeric[])`

/**
 * Lists of columns, not one list of JSON: PostgreSQL expects ten rows of them, but 100 of JSON, and would read the
 * stats of all members as long as there are only some thousand.
 */
const STOP_SQL = `
  with c as materialized (
    select * from unnest(:bucket::smallint[], :userId::integer[], :sessionId::bigint[], :endTime::timestamptz[],
      :reward::numeric[], :usdtReward::numeric[], :rewardClaimed::boolean[], :pendingTesp::numeric[],
      :pendingUsdt::numeric[]) c (bucket, "userId", "sessionId", "endTime", reward, "usdtReward",
      "rewardClaimed", "pendingTesp", "pendingUsdt")
  ), stopped as (
    update mining_sessions s set active = false, status = 'stopped', "endTime" = c."endTime",
      reward = c.reward, "usdtReward" = c."usdtReward", "rewardClaimed" = c."rewardClaimed"
    from c where s.bucket = c.bucket and s.id = c."sessionId"
  )
  update mining_stats m set "pendingRewards" = m."pendingRewards" + c."pendingTesp",
    "pendingUsdtRewards" = m."pendingUsdtRewards" + c."pendingUsdt",
    "totalMined" = m."totalMined" + c.reward, "updatedAt" = now()
  from c where m.bucket = c.bucket and m."userId" = c."userId"`

const LOCK_COUNTERS_SQL = `
  select bucket from network_counters where lane = 1 and bucket = any(:buckets::smallint[])
  for update skip locked`

/** The list of buckets stands twice, because a join with values of unknown number would read the whole table. */
const COUNT_SQL = `
  update network_counters n set "activeSessions" = n."activeSessions" + c.sessions,
    "activeRate" = n."activeRate" + c.rate
  from unnest(:buckets::smallint[], :sessions::integer[], :rates::numeric[]) c (bucket, sessions, rate)
  where n.lane = 1 and n.bucket = any(:buckets::smallint[]) and n.bucket = c.bucket`

const ANSWERS_SQL = `
  insert into idempotency_keys (bucket, "userId", key, route, answer)
  select * from unnest(:bucket::smallint[], :userId::integer[], :key::text[], :route::text[], :answer::jsonb[])`

const CLOCKS_SQL = `select ${CLOCKS}`

type Request = { authEpoch: number; isRepeated: boolean }

async function lockRows<Row>(
  tx: Tx,
  [name, sql]: [string, string],
  commands: MiningCommand[],
  memberOf: (row: Row) => number,
): Promise<Map<number, Row & Request>> {
  if (commands.length === 0) return new Map()
  const ids = commands.map(({ signIn }) => signIn.memberId)
  const keys = commands.map(({ key }) => key ?? null)
  const { rows } = await prepared(tx, name, sql, { ids, buckets: ids.map(bucketOf), keys })
  return new Map(rows.map((row) => [memberOf(row), row]))
}

type Effect = { values: MemberBindings; status: MiningStatus; rate: Money }

/** Takes the locks of all members; the effects of the commands that can be carried out under them. */
async function effectsOf(
  tx: Tx,
  commands: MiningCommand[],
): Promise<{ command: MiningCommand; effect: Effect }[]> {
  const ids = commands.map(({ signIn }) => signIn.memberId)
  const starts = commands.filter(({ kind }) => kind === 'start')
  const stops = commands.filter(({ kind }) => kind === 'stop')
  // Sent together, in this order: the rows are read after the members' locks are held, and the clocks at last.
  const [members, starters, sessions, counters, clocks] = await Promise.all([
    prepared(tx, 'lock-members', LOCK_MEMBERS_SQL, { ids }),
    lockRows<Starter>(tx, ['lock-starters', LOCK_STARTERS_SQL], starts, (row) => row.memberId),
    lockRows<RunningSession>(tx, ['lock-sessions', LOCK_SESSIONS_SQL], stops, (row) => row.userId),
    prepared(tx, 'lock-counters', LOCK_COUNTERS_SQL, { buckets: ids.map(bucketOf) }),
    prepared(tx, 'clocks', CLOCKS_SQL, {}),
  ])
  const moment = momentOf(clocks.rows[0])
  const buckets = new Set(counters.rows.map(({ bucket }) => bucket))
  const locked = new Set(
    members.rows.flatMap(({ id, isLocked }) => (isLocked && buckets.has(bucketOf(id)) ? [id] : [])),
  )
  const isValid = ({ signIn }: MiningCommand, { authEpoch, isRepeated }: Request) =>
    locked.has(signIn.memberId) && authEpoch === signIn.epoch && !isRepeated
  const effectOf = (command: MiningCommand): Effect | undefined => {
    if (command.kind === 'start') {
      const row = starters.get(command.signIn.memberId)
      if (!row || row.isMining || !isValid(command, row)) return undefined
      const started = startedSession({ ...row, ...moment })
      return { ...started, rate: started.values.hashRate }
    }
    const row = sessions.get(command.signIn.memberId)
    if (!row || row.quarantinedAt || !isValid(command, row)) return undefined
    if (!isSettled(row, moment.now)) return undefined
    return { ...stoppedSession(row, moment), rate: minus(sum(), row.hashRate) }
  }
  return commands.flatMap((command) => {
    try {
      const effect = effectOf(command)
      return effect ? [{ command, effect }] : []
    } catch {
      // A row that breaks the rules is that member's error, which the command alone reports.
      return []
    }
  })
}

function countSessions(tx: Tx, effects: { command: MiningCommand; effect: Effect }[]) {
  const changes = new Map<number, { sessions: number; rate: Money }>()
  for (const { command, effect } of effects) {
    const bucket = bucketOf(command.signIn.memberId)
    const { sessions, rate } = changes.get(bucket) ?? { sessions: 0, rate: sum() }
    const change = command.kind === 'start' ? 1 : -1
    changes.set(bucket, { sessions: sessions + change, rate: sum(rate, effect.rate) })
  }
  const values = [...changes.values()]
  return prepared(tx, 'count-sessions', COUNT_SQL, {
    buckets: [...changes.keys()],
    sessions: values.map(({ sessions }) => sessions),
    rates: values.map(({ rate }) => rate),
  })
}

async function carryOut(
  tx: Tx,
  commands: MiningCommand[],
): Promise<Map<MiningCommand, MiningStatus>> {
  // A command may have waited for its connection, or for an attempt before this one.
  const effects = await effectsOf(
    tx,
    commands.filter((command) => command.isConnected()),
  )
  const write = async (name: string, sql: string, rows: Bindings[]) => {
    const [first] = rows
    if (!first) return
    const columns = Object.keys(first).map((name) => [name, rows.map((row) => row[name])])
    await pipelineCommit(tx, prepared(tx, name, sql, Object.fromEntries(columns)))
  }
  const valuesOf = (kind: MiningCommand['kind']) =>
    effects.filter(({ command }) => command.kind === kind).map(({ effect }) => effect.values)
  await write('start-sessions', START_SQL, valuesOf('start'))
  await write('stop-sessions', STOP_SQL, valuesOf('stop'))
  if (effects.length > 0) await pipelineCommit(tx, countSessions(tx, effects))
  const answers = effects.flatMap(({ command: { signIn, key, route }, effect: { status } }) =>
    key ? [{ ...memberKey(signIn.memberId), key, route, answer: status }] : [],
  )
  await write('store-answers', ANSWERS_SQL, answers)
  return new Map(effects.map(({ command, effect }) => [command, effect.status]))
}

/** The database has rolled back for sure. After a lost connection, a shutdown or a crash the outcome is unknown. */
const isRolledBack = (error: unknown) =>
  error instanceof DatabaseError && !/^(08|57P|58|XX)/.test(error.code ?? '08')

export const startAndStop: Engine['startAndStop'] = async (db, commands, log) => {
  try {
    const statuses = await inTransaction(db, (tx) => carryOut(tx, commands))
    return commands.map((command) => statuses.get(command))
  } catch (error) {
    if (!isRolledBack(error)) throw error
    // One member's rows may be the reason: each command finds out for itself.
    log.warn(
      { err: error, commands: commands.length },
      'starts and stops run alone: together they failed',
    )
    return commands.map(() => undefined)
  }
}
