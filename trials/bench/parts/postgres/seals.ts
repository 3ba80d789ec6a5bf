import { sealOfDay } from '#db/ledger/seals/chain'
import { checkDay } from '#db/ledger/seals/check-day'
import { dayText } from '#db/ledger/seals/day-leaves'
import { readReceipt } from '#db/ledger/seals/receipts'
import { sealDay } from '#db/ledger/seals/seal-day'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS, INTERVALS } from '#rules/constants'
import { miningDays } from '#trials/bench/data/mining-days'
import { interleave, rowsOf } from '#trials/bench/harness/figures/interleave'
import { benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, BenchTable, PartResult } from '#trials/bench/result'

/** 360,000 rows a day: five rounds take less than a minute. */
const MEMBERS = 5_000
const QUICK_MEMBERS = 1_000
const RECEIPTS = 200

/** Sealing and checking a day of the ledger beside the sums that Postgres alone computes, and receipts. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const members = quick ? QUICK_MEMBERS : MEMBERS
  const servers = await benchServers()
  try {
    const db = servers.pool(2)
    const [name = ''] = await miningDays(db, members, 2)
    const day = dayOfPartition(name)
    const rows = members * INTERVALS
    log(`a day of ${rows} credits is filled`)
    const rate = async (work: () => Promise<unknown>) => {
      const start = performance.now()
      await work()
      return rows / ((performance.now() - start) / 1_000)
    }
    const rates = await interleave(
      {
        sealed: () => rate(() => db.transaction((tx) => sealDay(tx, day, 'day'))),
        'checked against its seal': () => rate(() => check(db, day)),
        'grouped by member, no hash': () => rate(() => grouped(db, name)),
      },
      { rounds },
    )
    const receipts = await interleave(
      { 'a receipt': () => receiptMs(db, members, day) },
      { rounds },
    )
    const bytes = await bytesOfLeaves(db, members)
    return {
      part: 'seals',
      title: 'Seals of the ledger',
      tables: [speedTable(rates), receiptTable(receipts), bytesTable(bytes)],
      notes: [
        `A day of ${members.toLocaleString('en')} members with 72 credits each; one connection. The sum by member is the least that any statement a member and day costs.`,
      ],
    }
  } finally {
    await servers.stop()
  }
}

/** Start of the day of a partition, ms. */
function dayOfPartition(name: string): number {
  const [, year, month, date] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(date))
}

async function check(db: Db, day: number): Promise<void> {
  await db.transaction(async (tx) => {
    await useBatchSettings(tx)
    const seal = await sealOfDay(tx, dayText(day))
    if (!seal) throw new Error('the day is not sealed')
    const [problem] = await checkDay(tx, day, seal)
    if (problem) throw new Error(`the day differs from its seal: ${problem.problem}`)
  })
}

async function grouped(db: Db, partition: string): Promise<void> {
  await db.transaction(async (tx) => {
    await useBatchSettings(tx)
    await tx.raw(
      `select sum(rows), sum(amount) from (
         select "userId", count(*) as rows, sum(amount) as amount, max(seq) from ?? group by 1 order by 1
       ) m`,
      [partition],
    )
  })
}

/** Milliseconds of a receipt, mean of many members. */
async function receiptMs(db: Db, members: number, day: number): Promise<number> {
  const ids: { id: string; userId: number }[] = await db('wallet_activity')
    .distinctOn('userId')
    .where('createdAt', '>=', new Date(day))
    .where('createdAt', '<', new Date(day + DAY_MS))
    .whereRaw('"userId" % ? = 0', [Math.max(1, Math.floor(members / RECEIPTS))])
    .select('id', 'userId')
  const start = performance.now()
  for (const { id, userId } of ids) {
    if (!(await readReceipt(db, userId, id))) throw new Error(`no receipt for ${id}`)
  }
  return (performance.now() - start) / ids.length
}

async function bytesOfLeaves(db: Db, members: number): Promise<number> {
  await db.raw('vacuum full ledger_leaves')
  const { rows } = await db.raw(`select pg_total_relation_size('ledger_leaves') as bytes`)
  return rows[0].bytes / members
}

function speedTable(rates: Record<string, number[]>): BenchTable {
  const [sealed, ...others] = rowsOf(rates)
  const rows = [...(sealed ? [{ ...sealed, goal: { atLeast: 200_000 } }] : []), ...others]
  return { id: 'speed', title: 'Ledger rows', unit: 'rows/s', higherIsBetter: true, rows }
}

function receiptTable(times: Record<string, number[]>): BenchTable {
  return {
    id: 'receipts',
    title: 'Time of a receipt',
    unit: 'ms',
    higherIsBetter: false,
    rows: rowsOf(times),
    plot: { kind: 'none' },
  }
}

function bytesTable(bytes: number): BenchTable {
  return {
    id: 'bytes',
    title: 'Stored leaves of a member and day, with indexes',
    unit: 'bytes',
    higherIsBetter: false,
    rows: [{ label: 'leaf', values: [bytes] }],
    plot: { kind: 'none' },
  }
}
