import { audit } from '#db/ledger/audit'
import type { Db } from '#db/postgres/statements/transaction'
import { yearOfLedger } from '#trials/bench/data/year-of-ledger'
import { interleave, rowsOf } from '#trials/bench/harness/figures/interleave'
import { residentMb } from '#trials/bench/harness/figures/process-figures'
import { benchServers } from '#trials/bench/harness/servers'
import type { BenchOptions, BenchTable, PartResult } from '#trials/bench/result'

/** Members whose year is 10 million ledger rows, and for a quick run. */
const MEMBERS = 10_700
const QUICK_MEMBERS = 400

/** The audit of a year of credits: its steps, the whole, and the memory that it takes. */
export async function run({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const servers = await benchServers()
  try {
    const db = servers.pool(4)
    log('filling a year of ledger rows …')
    const rows = await yearOfLedger(db, quick ? QUICK_MEMBERS : MEMBERS)
    const steps: Record<string, number[]> = {}
    const memory: number[] = []
    const temporaryMb: number[] = []
    const whole = async () => {
      const before = await temporaryBytes(db)
      const start = performance.now()
      const { problems } = await audit(db, (step, ms) => {
        steps[step] = [...(steps[step] ?? []), ms / 1_000]
      })
      const seconds = (performance.now() - start) / 1_000
      if (problems.length > 0) throw new Error(`the audit found ${JSON.stringify(problems[0])}`)
      memory.push(residentMb(process.pid))
      temporaryMb.push(((await temporaryBytes(db)) - before) / 1e6)
      return seconds
    }
    const seconds = await interleave({ 'the whole audit': whole }, { rounds })
    const measured = Object.fromEntries(
      Object.entries(steps).map(([step, values]) => [step, values.slice(-rounds)]),
    )
    return {
      part: 'audit',
      title: 'Audit',
      tables: [timeTable(seconds, measured), memoryTable(memory, temporaryMb, rounds)],
      notes: [
        `${rows.toLocaleString('en')} ledger rows of ${quick ? QUICK_MEMBERS : MEMBERS} members in daily partitions of a year. The steps run side by side on two connections, so their times overlap.`,
        'Every round finds all rules kept. Temporary files are what Postgres wrote during a round, by `pg_stat_database`.',
      ],
    }
  } finally {
    await servers.stop()
  }
}

async function temporaryBytes(db: Db): Promise<number> {
  await db.raw('select pg_stat_force_next_flush()')
  const { rows } = await db.raw(
    'select temp_bytes as bytes from pg_stat_database where datname = current_database()',
  )
  return rows[0].bytes
}

function timeTable(whole: Record<string, number[]>, steps: Record<string, number[]>): BenchTable {
  const rows = [
    ...rowsOf(whole).map((row) => ({ ...row, goal: { atMost: 15 } })),
    ...rowsOf(steps).map((row) => ({ ...row, label: `step: ${row.label}` })),
  ]
  return { id: 'time', title: 'Time of an audit', unit: 's', higherIsBetter: false, rows }
}

function memoryTable(memory: number[], temporary: number[], rounds: number): BenchTable {
  const rows = [
    { label: 'memory of the process', values: memory.slice(-rounds) },
    { label: 'temporary files', values: temporary.slice(-rounds) },
  ]
  return {
    id: 'memory',
    title: 'Memory',
    unit: 'MB',
    higherIsBetter: false,
    rows,
    plot: { kind: 'none' },
  }
}
