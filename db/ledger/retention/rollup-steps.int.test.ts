import { expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { audit } from '#db/ledger/audit'
import { olderSnapshotExists } from '#db/ledger/partition-swap'
import { partitionName, strayLedgerRows } from '#db/ledger/partitions'
import type { Db } from '#db/postgres/statements/transaction'
import { creditCount } from '#rules/money/ledger-id'
import { lateCredit, ledgerDetail, recordSwept, seedOldDays } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { useSeeded } from '#scripts/testing/db/seeded-database'
import { insertSessions } from '#scripts/testing/db/sessions'
import { cutAfterStatements } from '#scripts/testing/db/statements/cut-after-statements'
import { type RollupStep, rollUpLedger, rollUpStep } from './rollup-steps.ts'

const DETAIL_DAYS = 7

const fresh = useSeeded(seedOldDays)
const rollUp = (db: Db = fresh.db) => rollUpLedger(db, DETAIL_DAYS)
const ledger = () => fresh.db('wallet_activity').orderBy('seq')
const problems = async () => (await audit(fresh.db)).problems
const middleDay = () => partitionName(fresh.noon)

async function partitions(): Promise<string[]> {
  const { rows } = await fresh.db.raw(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  return rows.map(({ name }: { name: string }) => name)
}

async function stepsUntil(wanted: RollupStep, db: Db = fresh.db): Promise<void> {
  let step: RollupStep | undefined
  do {
    step = await rollUpStep(db, DETAIL_DAYS)
  } while (step !== undefined && step !== wanted)
  expect(step).toBe(wanted)
}

/** Rolls up the days before the middle one. */
async function reachMiddleDay(): Promise<void> {
  while (!(await fresh.db('ledger_rollups').where({ partition: middleDay() }).first())) {
    expect(await rollUpStep(fresh.db, DETAIL_DAYS)).toBeDefined()
  }
}

it('old credits become one row a session and day, which opens to the same credits', async () => {
  const before = { rows: await ledger(), detail: await ledgerDetail(fresh.db, fresh.members) }
  const names = await partitions()
  expect(await rollUp()).toBeGreaterThan(2)
  const after = await ledger()
  expect(await ledgerDetail(fresh.db, fresh.members)).toEqual(before.detail)
  expect(await partitions()).toEqual(names)
  expect(await problems()).toEqual([])
  const credits = after.filter(({ id }) => creditCount(id) > 0)
  // Two days of 12 sessions and one more; a task splits a day of one of them.
  expect(credits.length).toBeLessThan(2 * fresh.members.length + 6)
  expect(after.length).toBeLessThan(before.rows.length / 20)
  expect(await fresh.db('ledger_late_rows')).toEqual([])
  expect(await rollUp()).toBe(0)
})

it('a row that was posted between two credits stays between them', async () => {
  const [first = 0] = fresh.members
  await rollUp()
  const rows = await ledger().where({ userId: first })
  const task = rows.findIndex(({ id }) => id.startsWith('task:'))
  expect(creditCount(rows[task - 1].id)).toBeGreaterThan(1)
  expect(creditCount(rows[task + 1].id)).toBeGreaterThan(1)
})

it('a rolled-up partition has the constraints and indexes of the ledger', async () => {
  const shape = async (table: string) => {
    const { rows } = await fresh.db.raw(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = :table::regclass
       union all select indexdef from pg_indexes where tablename = :table order by 1`,
      { table },
    )
    return rows.map(({ text }: { text: string }) =>
      text.replace(/INDEX \S+ ON \S+/, 'INDEX').replace(/ WITH \(fillfactor='?100'?\)/, ''),
    )
  }
  const before = await shape(middleDay())
  await rollUp()
  expect(await shape(middleDay())).toEqual(before)
})

it('days younger than the limit and days with uncredited intervals keep their rows', async () => {
  const before = await ledger()
  expect(await rollUpLedger(fresh.db, 30)).toBe(0)
  const sessions = { userId: await insertMember(fresh.db), startedAt: fresh.noon }
  await insertSessions(fresh.db, [sessions])
  await fresh
    .db('credit_sweeps')
    .where({ firstBucket: 384 })
    .update({ sweptTo: new Date(fresh.noon) })
  await rollUp()
  expect(await fresh.db(middleDay())).toEqual(
    expect.arrayContaining(
      before.filter(({ createdAt }) => partitionName(createdAt.getTime()) === middleDay()),
    ),
  )
  await recordSwept(fresh.db)
  expect(await rollUp()).toBeGreaterThan(0)
})

it('a late credit is kept after each step of a roll-up', async () => {
  await reachMiddleDay()
  const late = [await lateCredit(fresh.db, fresh.noon)]
  const steps: RollupStep[] = []
  for (;;) {
    const step = await rollUpStep(fresh.db, DETAIL_DAYS)
    if (step === undefined) break
    steps.push(step)
    late.push(await lateCredit(fresh.db, fresh.noon))
  }
  expect(steps.slice(0, 4)).toEqual(['rolled', 'indexed', 'verified', 'checked'])
  expect(await fresh.db('wallet_activity').whereIn('userId', late)).toHaveLength(late.length)
  expect(await fresh.db(middleDay()).whereIn('userId', late)).toHaveLength(late.length)
  expect(await strayLedgerRows(fresh.db)).toBe(0)
  expect(await fresh.db('ledger_late_rows')).toEqual([])
  expect(await problems()).toEqual([])
})

it('a worker that dies after any statement leaves a roll-up that the next one completes', async () => {
  // A step takes a whole partition, so the three members that differ and one more show what it left.
  const some = fresh.members.slice(0, 4)
  const detail = await ledgerDetail(fresh.db, fresh.members)
  const expected = await ledgerDetail(fresh.db, some)
  const kills = await cutAfterStatements(fresh.url, {
    work: rollUp,
    check: async () => expect(await ledgerDetail(fresh.db, some)).toEqual(expected),
    step: 3,
  })
  expect(kills).toBeGreaterThan(10)
  expect(await ledgerDetail(fresh.db, fresh.members)).toEqual(detail)
  // The swap waits for snapshots of other connections, such as those of the checks.
  await expect.poll(() => rollUp()).toBe(0)
  expect((await ledger()).filter(({ id }) => creditCount(id) > 1).length).toBeGreaterThan(0)
  expect(await problems()).toEqual([])
})

it('several workers that roll up while credits are written lose and repeat nothing', async () => {
  const detail = await ledgerDetail(fresh.db, fresh.members)
  const late: number[] = []
  const write = async () => {
    for (let count = 0; count < 10; count++) late.push(await lateCredit(fresh.db, fresh.noon))
  }
  await Promise.all([...[1, 2, 3].map(() => rollUp(fresh.pool(1))), write()])
  await rollUp()
  expect(await ledgerDetail(fresh.db, fresh.members)).toEqual(detail)
  expect(await fresh.db('wallet_activity').whereIn('userId', late)).toHaveLength(10)
  expect(await problems()).toEqual([])
})

it('a roll-up that differs from its partition stops, and the partition stays', async () => {
  const before = await ledger()
  await reachMiddleDay()
  await stepsUntil('indexed')
  await fresh.db.raw(
    `update ?? set amount = amount + 0.00000001
    where seq = (select max(seq) from ??)`,
    [`${middleDay()}_rolled`, `${middleDay()}_rolled`],
  )
  await expect(rollUpStep(fresh.db, DETAIL_DAYS)).rejects.toThrow('the partition stays')
  const rows = before.filter(({ createdAt }) => partitionName(createdAt.getTime()) === middleDay())
  expect(await fresh.db(middleDay()).orderBy('seq')).toEqual(rows)
})

it('a row that is missing from a roll-up stops it', async () => {
  await reachMiddleDay()
  await stepsUntil('indexed')
  await fresh.db.raw(`delete from ?? where id like 'task:%'`, [`${middleDay()}_rolled`])
  await expect(rollUpStep(fresh.db, DETAIL_DAYS)).rejects.toThrow('the partition stays')
})

it('a partition that differs from its roll-up is left out, and later ones are rolled up', async () => {
  await reachMiddleDay()
  await stepsUntil('indexed')
  await fresh.db.raw(`delete from ?? where id like 'task:%'`, [`${middleDay()}_rolled`])
  await expect(rollUp()).rejects.toThrow('the partition stays')
  const rollups = () => fresh.db('ledger_rollups')
  // It has no seal to be checked.
  await rollups().where({ partition: middleDay() }).update({ isSealChecked: true })
  await expect(rollUp()).rejects.toThrow('the partition stays')
  expect(await rollups().whereNull('swappedAt').pluck('partition')).toEqual([middleDay()])
  expect(await rollups().where('partition', '>', middleDay())).not.toEqual([])
  expect(
    await fresh.db('maintenance_steps').where({ work: `roll-up of ${middleDay()}` }),
  ).toMatchObject([{ steps: 1 }])
})

it('ledger rows of a partition that is being rolled up cannot be changed', async () => {
  await reachMiddleDay()
  const change = fresh.db(middleDay()).update({ description: 'changed' })
  await expect(change).rejects.toThrow('cannot change')
})

it('the swap waits for older snapshots and for a transaction that holds the ledger', async () => {
  const older = await fresh.db.transaction({ isolationLevel: 'repeatable read', readOnly: true })
  await older('users').count()
  await stepsUntil('waiting')
  await older.commit()
  const reader = await fresh.db.transaction()
  await reader.raw('lock table wallet_activity in access share mode')
  expect(await rollUpStep(fresh.db, DETAIL_DAYS)).toBe('waiting')
  await reader.commit()
  expect(await rollUpStep(fresh.db, DETAIL_DAYS)).toBe('swapped')
})

it('the swap does not wait for snapshots because of a copy that the server of a restored backup made', async () => {
  await reachMiddleDay()
  await stepsUntil('checked')
  const other = await fresh.db.transaction({ isolationLevel: 'repeatable read', readOnly: true })
  await other('users').count()
  await fresh.db('ledger_rollups').whereNull('swappedAt').update({ copiedBy: '999999999' })
  expect(await rollUpStep(fresh.db, DETAIL_DAYS)).toBe('swapped')
  await other.commit()
})

it('the swap sees a snapshot whose role has more rights than its own', async () => {
  const older = await fresh.db.transaction({ isolationLevel: 'repeatable read', readOnly: true })
  await older('users').count()
  await stepsUntil('waiting')
  const { copiedBy } = await fresh.db('ledger_rollups').whereNull('swappedAt').first('copiedBy')
  const tx = await fresh.db.transaction()
  await tx.raw('create role without_rights; set local role without_rights')
  const isWaitedFor = await olderSnapshotExists(tx, copiedBy)
  await tx.rollback()
  await older.commit()
  expect(isWaitedFor).toBe(true)
})

it('the swap does not read the rows of the partition', async () => {
  await reachMiddleDay()
  await stepsUntil('checked')
  const notices: string[] = []
  const db = connect(fresh.url, { max: 1 })
  const connection = await db.client.acquireConnection()
  connection.on('notice', ({ message }: { message: string }) => notices.push(message))
  await db.client.releaseConnection(connection)
  await db.raw('set client_min_messages = debug1')
  expect(await rollUpStep(db, DETAIL_DAYS)).toBe('swapped')
  await db.destroy()
  expect(notices).toContain(
    `partition constraint for table "${middleDay()}_rolled" is implied by existing constraints`,
  )
})

it('a roll-up records the size of its partition before and after', async () => {
  await rollUp()
  const [row] = await fresh.db('ledger_rollups').where({ partition: middleDay() })
  expect(row.swappedAt).toBeInstanceOf(Date)
  expect(row.bytesAfter).toBeLessThan(row.bytesBefore)
})
