import { rollUpLedger, rollUpStep } from '#db/ledger/retention/rollup-steps'
import type { Db } from '#db/postgres/statements/transaction'
import { INTERVALS } from '#rules/constants'
import { miningDays } from '#trials/bench/data/mining-days'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { interleave, rowsOf } from '#trials/bench/harness/figures/interleave'
import { benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, BenchTable, PartResult } from '#trials/bench/result'

const MEMBERS = 20_000
const QUICK_MEMBERS = 2_000
const DETAIL_DAYS = 7

/** Roll-up of a day of credits beside a bare copy of its rows, and the ledger's size before and after. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const members = quick ? QUICK_MEMBERS : MEMBERS
  const servers = await benchServers()
  try {
    const db = servers.pool(2)
    // The first day and the last one are not full; a warm-up takes one more.
    const days = await miningDays(db, members, rounds + 3)
    log(`${days.length} days of ${members * INTERVALS} credits are filled`)
    await rollUpOne(db)
    const locked: number[] = []
    let day = 0
    const sizes: { before: number[]; after: number[] } = { before: [], after: [] }
    const rollUp = async () => {
      const name = days[day++] ?? ''
      sizes.before.push((await bytesOf(db, name)) / members)
      const { seconds, swapMs } = await rollUpOne(db)
      sizes.after.push((await bytesOf(db, name)) / members)
      locked.push(swapMs)
      return (members * INTERVALS) / seconds
    }
    const copy = () => copyRate(db, days.at(-1) ?? '', members * INTERVALS)
    const rates = await interleave(
      { 'rolled up, proved and swapped': rollUp, 'copied without an index': copy },
      { rounds },
    )
    await rollUpLedger(db, DETAIL_DAYS)
    await assertCleanAudit(db)
    const last = <T>(values: T[]) => values.slice(-rounds)
    return {
      part: 'retention',
      title: 'Roll-up of old credits',
      tables: [
        speedTable(rates),
        bytesTable(last(sizes.before), last(sizes.after)),
        lockTable(last(locked)),
      ],
      notes: [
        `${members.toLocaleString('en')} members who mine without a break: 72 credits of two sessions a member and day. One connection; each round rolls up one day. The copy is \`create table … as\` of a day, the least that any rewrite costs.`,
        'The audit holds at the end.',
      ],
    }
  } finally {
    await servers.stop()
  }
}

/** Rolls up the next partition; `swapMs` is the step that readers and writers wait for. */
async function rollUpOne(db: Db): Promise<{ seconds: number; swapMs: number }> {
  const start = performance.now()
  for (;;) {
    const stepStart = performance.now()
    const step = await rollUpStep(db, DETAIL_DAYS)
    const now = performance.now()
    if (step === 'swapped') return { seconds: (now - start) / 1_000, swapMs: now - stepStart }
    if (step === undefined || step === 'waiting') throw new Error(`the roll-up is ${step}`)
  }
}

async function copyRate(db: Db, partition: string, rows: number): Promise<number> {
  const start = performance.now()
  await db.raw('create table copied as table ??', [partition])
  const rate = rows / ((performance.now() - start) / 1_000)
  await db.raw('drop table copied')
  return rate
}

async function bytesOf(db: Db, table: string): Promise<number> {
  const { rows } = await db.raw('select pg_total_relation_size(?::regclass) as bytes', [table])
  return rows[0].bytes
}

function speedTable(rates: Record<string, number[]>): BenchTable {
  const [rolled, ...others] = rowsOf(rates)
  const rows = [...(rolled ? [{ ...rolled, goal: { atLeast: 200_000 } }] : []), ...others]
  return { id: 'speed', title: 'Credits read', unit: 'rows/s', higherIsBetter: true, rows }
}

function bytesTable(before: number[], after: number[]): BenchTable {
  const rows = [
    { label: 'a row for each credit', values: before },
    { label: 'rolled up', values: after, goal: { atMost: 400 } },
  ]
  const title = 'Ledger of a member and day, with indexes'
  return { id: 'bytes', title, unit: 'bytes', higherIsBetter: false, rows }
}

function lockTable(locked: number[]): BenchTable {
  return {
    id: 'lock',
    title: 'The swap, for which the ledger waits',
    unit: 'ms',
    higherIsBetter: false,
    rows: [{ label: 'swap', values: locked }],
    plot: { kind: 'none' },
  }
}
