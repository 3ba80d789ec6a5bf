import type { Logger } from 'pino'
import type { AuditProblem } from '#db/ledger/audit/audit-step'
import type { SessionRef } from '#db/ledger/bucket-range-sql'
import type { MergeSql } from '#db/ledger/partition-merges/merge-sql'
import type { RollupStep } from '#db/ledger/retention/rollup-steps'
import type { CommandRequest, RequestRow } from '#db/members/execute-once'
import type { SnapshotRow } from '#db/mining/session-sql'
import type { Starter } from '#db/mining/sessions'
import type { SweepRest, SweptBatch } from '#db/mining/sweep'
import type { LockStatement } from '#db/postgres/connection/product-clock'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import type { Moment } from '#rules/money/mining-status'
import type { MiningStatus } from '#rules/snapshots'

/**
 * What plain PostgreSQL and Citus, which spreads buckets over several servers, do differently (decision 29).
 * The two implementations are in `postgres/` and `citus/`. Nothing else asks which one is in use.
 */
export type Engine = {
  /** Runs a statement, in the transaction `db` or in its own. Its rows are as JSON has them: times are text. */
  runForBucket<Row>(
    db: Db,
    place: BucketOrRange,
    statement: BucketStatement,
    bindings: Bindings,
  ): Promise<Row[]>
  /** Runs a statement that locks a row, then reads the clocks, in one round trip; undefined without a row. */
  readLocked<Row>(
    tx: Tx,
    statement: LockStatement,
    bindings: Bindings,
  ): Promise<Locked<Row> | undefined>
  /** Logs a change of what polls of these members answer, unless triggers do (`poll-log.ts`). */
  logPollChange(db: Db, memberIds: number[]): Promise<void>

  /** The member's epoch, and the command that ran under the key. */
  readRequest(db: Db, memberId: number, key: string | null): Promise<RequestRow | undefined>
  /** Keeps the member's boost until the commit, and reads what a start needs. */
  lockStarter(tx: Tx, memberId: number): Promise<Starter & Moment>
  /** Inserts a session and counts it. */
  startSession(tx: Tx, session: MemberBindings): Promise<unknown>
  /** Ends the locked session that the values name, counts it and adds to what is pending. */
  stopSession(tx: Tx, ended: MemberBindings): Promise<unknown>
  /**
   * Carries out starts and stops of different members in one transaction, and waits for nobody's locks. Undefined for
   * one that changed nothing and has to run alone: a lock is held, it is refused or repeated, or a credit is due.
   */
  startAndStop(
    db: Db,
    commands: MiningCommand[],
    log: Pick<Logger, 'warn'>,
  ): Promise<(MiningStatus | undefined)[]>
  readSnapshots(db: Db, memberIds: number[]): Promise<SnapshotRow[]>
  /** Whether a read of many members may fail because of some of them, whose server is down. */
  failsByMember: boolean

  /** The ranges that store how far they are swept. Processes share the work of a full sweep by range. */
  rangesToSweep(db: Db): Promise<BucketRange[]>
  /** The ranges that a statement over all buckets is divided into. */
  rangesOfStatement(db: Db): Promise<BucketRange[]>
  /** Credits the next due interval of at most `limit` sessions of the buckets. */
  sweepBatch(
    db: Db,
    buckets: BucketRange,
    rest: SweepRest | undefined,
    limit: number,
  ): Promise<SweptBatch>
  /** The sessions that `sweepBatch` would credit. */
  sessionsToSweep(
    db: Db,
    buckets: BucketRange,
    rest: SweepRest | undefined,
    limit: number,
  ): Promise<SessionRef[]>

  /** Checks the rules of the economy. */
  audit(db: Db): Promise<AuditProblem[]>

  /** The next step of a roll-up of the oldest partition that is older than `detailDays` (decision 20). */
  rollUpStep(db: Db, detailDays: number): Promise<RollupStep | undefined>
  /** Whether the credits of a day (`2026-11-21`) are rolled up for some members and single rows for others. */
  isPartlyRolledUp(tx: Tx, day: string): Promise<boolean>
  /** Whether a fault has kept a transaction that has committed, or may have, from a server. */
  isCommitInDoubt(tx: Tx): Promise<boolean>
  merge: MergeSql
  /** The bucket from `bucket` on that has the next session after `afterId`; `BUCKETS` if none has. */
  nextBucketToArchive(tx: Tx, position: { bucket: number; afterId: number }): Promise<number>
  /** Deletes rows that satisfy `condition`, trusted SQL; returns their number. The next call may delete more. */
  deleteRows(db: Db, table: string, condition: string): Promise<number>
  /** Prepares new partitions of the ledger for moves of shards. */
  identifyPartitions(db: Db): Promise<void>
  /** Completes a schema that is migrated; in a database with rows too. */
  completeSchema(db: Db, report: Report): Promise<void>
  /** Whether a schema that is migrated is complete enough to serve. */
  isSchemaComplete(db: Db): Promise<boolean>
}

/** Gets lines about the progress of work that takes long. */
export type Report = (line: string) => void

/** A start or stop as its request names it, and whether its client still waits for the answer. */
export type MiningCommand = CommandRequest & { kind: 'start' | 'stop'; isConnected(): boolean }

export type Bindings = Record<string, unknown>
export type MemberBindings = Bindings & { userId: number }

/** A locked row, and the clocks read after the lock. */
export type Locked<Row> = { row: Row } & Moment

/** SQL that gives a ledger row its place in the order of posting, `seq`, and logs its change. */
export type EngineFragments = {
  /** Assignment of an update of wallets. */
  next: string
  /** What that update returns in addition. */
  returned: string
  /** The column, in a list of them. */
  column: string
  /** Null in its place. */
  absent: string
  /** A step that logs the change of a posting `paid`; empty if `logPollChange` does. */
  logged: string
}

/** A bucket, or a range whose buckets are on one server: one of `rangesOfStatement`. */
export type BucketOrRange = number | BucketRange

/** Steps before the last `select`, which may change rows, and that `select`. */
type Steps = { steps: string; answer: string }

/** A statement about the rows of a bucket, or of a range of buckets. */
export type BucketStatement = {
  name: string
  sql: (fragments: EngineFragments) => string
  /** If its best plan depends on its values. */
  usesCustomPlan: boolean
}

/** The statement reads no other tables, and casts each of its values, because Citus makes literals of them. */
export function bucketStatement(
  name: string,
  steps: (fragments: EngineFragments) => Steps,
  { usesCustomPlan = false } = {},
): BucketStatement {
  const sql = (fragments: EngineFragments) => {
    const { steps: before, answer } = steps(fragments)
    return `with ${before} select to_json(answer) as answer from (${answer}) answer`
  }
  return { name, sql, usesCustomPlan }
}

/** What `compile` makes of a statement, which it does once for each. */
export function memoized<T>(compile: (statement: BucketStatement) => T) {
  const known = new WeakMap<BucketStatement, T>()
  return (statement: BucketStatement): T => {
    const compiled = known.get(statement) ?? compile(statement)
    known.set(statement, compiled)
    return compiled
  }
}

type Pool = { choose: (db: Db) => Promise<Engine>; engine?: Engine }

/** By the settings of a pool, which its transactions share. */
const pools = new WeakMap<object, Pool>()

/** Lets `choose` find out the engine of a pool when it is first needed; `connect` calls this. */
export function setEngine(pool: Db, choose: (db: Db) => Promise<Engine>): void {
  pools.set(pool.client.config, { choose })
}

/** The engine of a pool or its transactions, asked for once: an extension is installed before the tables are made. */
export async function engineOf(db: Db): Promise<Engine> {
  const pool = pools.get(db.client.config)
  if (!pool) throw new Error('a pool without engine: open it by connect of #db/engine/connect')
  // Callers do not share one question: it may be sent behind a lock that another caller holds.
  pool.engine ??= await pool.choose(db)
  return pool.engine
}
