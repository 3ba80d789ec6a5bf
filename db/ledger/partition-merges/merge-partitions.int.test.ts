import { expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { audit } from '#db/ledger/audit'
import { ensurePartitions, PARTITIONS_AHEAD, strayLedgerRows } from '#db/ledger/partitions'
import { withClient } from '#db/postgres/connection/pool'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { readActivity } from '#db/wallet/activity'
import { DAY_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { creditRanges, lateCredit } from '#scripts/testing/db/history'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { useSeeded } from '#scripts/testing/db/seeded-database'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { type MergeStep, mergePartitions, mergeStep } from './merge-partitions.ts'

const MEMBERS = 20
const INTERVALS = 60

/** Old credits of one day; `creditedAt` is their product time, ms. */
async function seedOldMonth(db: Db): Promise<{ creditedAt: number }> {
  await freeze(db)
  const creditedAt = await productNow(db)
  const members = await insertMembers(db, MEMBERS)
  const startedAt = startedBefore(creditedAt, INTERVALS)
  await insertSessions(
    db,
    members.map((userId) => ({ userId, startedAt })),
  )
  await creditRanges(db)
  await advance(db, 60 * DAY_MS)
  await ensurePartitions(db)
  return { creditedAt }
}

const fresh = useSeeded(seedOldMonth)

async function partitions(): Promise<string[]> {
  const { rows } = await fresh.db.raw(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  return rows.map(({ name }: { name: string }) => name)
}
const ledger = () => fresh.db('wallet_activity').orderBy('seq')
const oldDay = () =>
  `wallet_activity_${new Date(fresh.creditedAt).toISOString().slice(0, 10).replaceAll('-', '')}`
const oldMonth = () => oldDay().slice(0, -2)
/** The partition that the merge in progress fills. */
const target = async (): Promise<string> => (await fresh.db('ledger_merges').first('month')).month

async function stepsUntil(wanted: MergeStep): Promise<void> {
  let step: MergeStep | undefined
  do {
    step = await mergeStep(fresh.db)
  } while (step !== undefined && step !== wanted)
  expect(step).toBe(wanted)
}

it('old days become a month with the same rows, and the days ahead stay', async () => {
  const before = await ledger()
  expect(before).toHaveLength(MEMBERS * INTERVALS)
  expect(await mergePartitions(fresh.db)).toBeGreaterThan(0)
  expect(await ledger()).toEqual(before)
  const names = await partitions()
  expect(names).toContain(oldMonth())
  expect(names.filter((name) => /_\d{8}$/.test(name))).toHaveLength(PARTITIONS_AHEAD + 2)
  expect(await fresh.db.schema.hasTable(oldDay())).toBe(false)
  expect(await fresh.db('ledger_merges')).toEqual([])
  expect((await audit(fresh.db)).problems).toEqual([])
  expect(await mergePartitions(fresh.db)).toBe(0)
})

it('a merged month has the constraints and indexes of the ledger, and one of its days', async () => {
  await mergePartitions(fresh.db)
  const shape = async (table: string): Promise<string[]> => {
    const { rows } = await fresh.db.raw(
      `select conname::text as name from pg_constraint where conrelid = :table::regclass
       union all select indexdef from pg_indexes where tablename = :table order by 1`,
      { table },
    )
    return rows.map(({ name }: { name: string }) => name.replaceAll(table, 'partition'))
  }
  const newest = (await partitions()).filter((name) => /_\d{8}$/.test(name)).at(-1) ?? ''
  const ofDays =
    'CREATE INDEX "partition_createdAt_idx" ON public.partition USING brin ("createdAt")'
  const month = await shape(oldMonth())
  const added = month.filter((part) => part.startsWith(ofDays))
  expect(added).toHaveLength(1)
  expect(month.filter((part) => !added.includes(part))).toEqual(await shape(newest))
})

it('a late credit of an old day is kept after each step of the merge', async () => {
  const late: number[] = [await lateCredit(fresh.db, fresh.creditedAt)]
  const steps: MergeStep[] = []
  for (;;) {
    const step = await mergeStep(fresh.db)
    if (step === undefined) break
    steps.push(step)
    late.push(await lateCredit(fresh.db, fresh.creditedAt))
  }
  expect(new Set(steps)).toEqual(new Set(['created', 'mirrored', 'copied', 'verified', 'merged']))
  expect(await fresh.db('wallet_activity').whereIn('userId', late)).toHaveLength(late.length)
  expect(await fresh.db(oldMonth()).whereIn('userId', late)).toHaveLength(late.length)
  expect(await strayLedgerRows(fresh.db)).toBe(0)
  expect((await audit(fresh.db)).problems).toEqual([])
})

it('a worker that dies after any statement leaves a merge that the next one completes', async () => {
  const before = await ledger()
  const kills = await cutAfterStatements(fresh.url, {
    work: mergePartitions,
    check: async () => expect(await ledger()).toEqual(before),
  })
  expect(kills).toBeGreaterThan(2)
  await expect.poll(() => mergePartitions(fresh.db)).toBe(0)
  expect(await partitions()).toContain(oldMonth())
  expect((await audit(fresh.db)).problems).toEqual([])
})

// Citus refuses the trigger.
it.runIf(isOneServer())('a copy may take longer than other statements', async () => {
  await stepsUntil('mirrored')
  await fresh.db.raw(`
    create function refuse_a_limit() returns trigger language plpgsql as $$ begin
        if current_setting('statement_timeout') <> '0' then raise 'there is a limit'; end if;
        return null;
      end $$;
    create trigger refuse_a_limit before insert on ${await target()} execute function refuse_a_limit()`)
  expect(await mergeStep(fresh.db)).toBe('copied')
})

it('several workers that merge while credits are written lose and repeat nothing', async () => {
  const members = await insertMembers(fresh.db, 50)
  const now = await productNow(fresh.db)
  await insertSessions(
    fresh.db,
    members.map((userId) => ({ userId, startedAt: startedBefore(now, 30) })),
  )
  const late = async () => {
    for (let count = 0; count < 10; count++) await lateCredit(fresh.db, fresh.creditedAt)
  }
  await Promise.all([
    ...[1, 2, 3].map(() => mergePartitions(fresh.pool(1))),
    creditRanges(fresh.pool(1)),
    late(),
  ])
  let step: MergeStep | undefined
  do {
    step = await mergeStep(fresh.db)
  } while (step !== undefined)
  const sessions = await fresh.db('mining_sessions').pluck('creditedIntervals')
  const credits = sessions.reduce((total: number, each: number) => total + each, 0)
  expect(credits).toBeGreaterThanOrEqual(MEMBERS * 72 + 50 * 30 + 10)
  expect(await ledger()).toHaveLength(credits)
  expect(await partitions()).toContain(oldMonth())
  expect((await audit(fresh.db)).problems).toEqual([])
})

it('a reader with a snapshot from before the copies keeps seeing every row', async () => {
  const reader = await fresh.db.transaction({ isolationLevel: 'repeatable read', readOnly: true })
  await reader('users').count()
  await stepsUntil('waiting')
  const rows = await reader('wallet_activity')
  expect(rows).toHaveLength(MEMBERS * INTERVALS)
  await reader.commit()
  expect(await mergePartitions(fresh.db)).toBeGreaterThan(0)
})

it('a swap gives up after 200 ms while a transaction holds the ledger, and is repeated', async () => {
  await stepsUntil('verified')
  const reader = await fresh.db.transaction()
  await reader.raw('lock table wallet_activity in access share mode')
  expect(await mergeStep(fresh.db)).toBe('waiting')
  await reader.commit()
  expect(await mergeStep(fresh.db)).toBe('merged')
})

it('the swap does not read the rows of the month', async () => {
  await stepsUntil('verified')
  const merged = await target()
  const notices: string[] = []
  const db = connect(fresh.url, { max: 1 })
  const connection = await db.client.acquireConnection()
  connection.on('notice', ({ message }: { message: string }) => notices.push(message))
  await db.client.releaseConnection(connection)
  await db.raw('set client_min_messages = debug1')
  expect(await mergeStep(db)).toBe('merged')
  await db.destroy()
  expect(notices).toContain(
    `partition constraint for table "${merged}" is implied by existing constraints`,
  )
})

it('a day that differs from its copy stops the merge, and its rows stay', async () => {
  await stepsUntil('verified')
  await fresh.db('ledger_merges').update({ verified: false })
  const copy = await target()
  await fresh.db.raw('delete from ?? where seq = (select min(seq) from ??)', [copy, copy])
  await expect(mergeStep(fresh.db)).rejects.toThrow('differs from its days')
  expect(await ledger()).toHaveLength(MEMBERS * INTERVALS)
})

it('a page of recent activity plans no merged month, an older one only the months that can match', async () => {
  await mergePartitions(fresh.db)
  const member = await insertMember(fresh.db)
  const plans: string[] = []
  const sent: { sql: string; bindings: unknown[] }[] = []
  const now = await productNow(fresh.db)
  fresh.db.on('query', (query) => sent.push(query))
  await readActivity(fresh.db, member, 20, { at: now, seq: 1 })
  await readActivity(fresh.db, member, 20, { at: fresh.creditedAt, seq: 1 })
  fresh.db.removeAllListeners('query')
  await withClient(fresh.url, async (client) => {
    for (const { sql, bindings } of sent) {
      const { rows } = await client.query(`explain ${sql}`, bindings)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
  })
  const [recent = '', , old = ''] = plans
  expect(recent).toMatch(/on wallet_activity_\d{8}\b/)
  expect(recent).not.toMatch(/on wallet_activity_\d{6}\b/)
  expect(old).toContain(`on ${oldMonth()}`)
  expect(old).not.toMatch(/on wallet_activity_\d{8}\b/)
})
