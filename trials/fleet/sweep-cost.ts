import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { advance } from '#db/testing/clock'
import { formatRows } from '#operators/ops/print'
import { MINUTE_MS } from '#rules/constants'
import { cpuPercent } from '#trials/bench/harness/figures/process-figures'
import { median } from '#trials/bench/harness/figures/statistics'
import type { TrialReport } from '#trials/kit/report'
import type { Fleet } from './fleet.ts'

const SIZES = [1, 2, 4, 8] as const
/** Real time after a change until the sweeps have caught up and new processes are idle. */
const SETTLE_MS = 5_000
/** The first jobs of an empty product, such as those of old days, and the first plans. */
const WARM_UP_MS = 10_000
/** Product time by which the clock is moved back so that nothing falls due. */
const BACK_MS = 10 * MINUTE_MS
/** The sweeps of 8 workers are at most this many times those of one. */
const MOST_GROWTH = 1.1
const SWEEPS = 'job_seconds_count{queue="sweep-credits"}'

export type CostOptions = {
  redisUrl: string
  pids: { postgres: number; redis: number }
  rounds: number
  seconds: number
}

type Figures = Record<
  'sweeps' | 'transactions' | 'redisCommands' | 'postgres' | 'redis' | 'workers' | 'credits',
  number
>

/** Sweeps that the running workers have done. */
async function sweepsOf(fleet: Fleet): Promise<number> {
  const counts = await fleet.figures('workers', SWEEPS)
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** What the workers cost during some seconds: a second, and percent of a core. */
async function measure(fleet: Fleet, redis: Redis, options: CostOptions): Promise<Figures> {
  const { db } = fleet.stage.product
  const counts = async () => {
    const { rows } = await db.raw(
      `select xact_commit + xact_rollback as transactions,
         (select sum("ledgerRows") from network_counters) as credits
       from pg_stat_database where datname = current_database()`,
    )
    const info = await redis.info('stats')
    const redisCommands = Number(/total_commands_processed:(\d+)/.exec(info)?.[1])
    return {
      transactions: Number(rows[0].transactions),
      credits: Number(rows[0].credits),
      redisCommands,
    }
  }
  const workers = fleet.pids('workers').map((pid, at) => [`worker${at}`, pid])
  // Reading metrics costs transactions, so it is done outside of the window.
  const sweepsBefore = await sweepsOf(fleet)
  const before = await counts()
  const used: Record<string, number> = await cpuPercent(
    { ...options.pids, ...Object.fromEntries(workers) },
    () => sleep(options.seconds * 1_000),
  )
  const after = await counts()
  const sweeps = (await sweepsOf(fleet)) - sweepsBefore
  const { postgres = 0, redis: redisCpu = 0, ...ofWorkers } = used
  const aSecond = (name: keyof typeof before) => (after[name] - before[name]) / options.seconds
  return {
    sweeps: sweeps / options.seconds,
    transactions: aSecond('transactions'),
    credits: aSecond('credits'),
    redisCommands: aSecond('redisCommands'),
    postgres,
    redis: redisCpu,
    workers: Object.values(ofWorkers).reduce((sum, percent) => sum + percent, 0),
  }
}

const middle = (values: Figures[], name: keyof Figures) =>
  Number(median(values.map((value) => value[name])).toPrecision(3))

/** Reports what sweeps cost with 1, 2, 4 and 8 workers, at rest and at a steady load. */
export async function measureSweepCost(
  fleet: Fleet,
  report: TrialReport,
  options: CostOptions,
): Promise<void> {
  const { db } = fleet.stage.product
  const redis = new Redis(options.redisUrl)
  const values = new Map<string, Figures[]>()
  await fleet.scale('workers', 1)
  await sleep(WARM_UP_MS)
  for (let round = 0; round < options.rounds; round++) {
    for (const size of SIZES) {
      await fleet.scale('workers', size)
      for (const load of ['rest', 'steady'] as const) {
        if (load === 'rest') await advance(db, -BACK_MS)
        await sleep(SETTLE_MS)
        const key = `${load}, ${size}`
        values.set(key, [...(values.get(key) ?? []), await measure(fleet, redis, options)])
        if (load === 'rest') await advance(db, BACK_MS)
      }
    }
  }
  redis.disconnect()
  const figuresOf = (load: string, size: number) => values.get(`${load}, ${size}`) ?? []
  const rows = ['rest', 'steady'].flatMap((load) =>
    SIZES.map((size) => {
      const figures = figuresOf(load, size)
      return {
        load,
        workers: size,
        'credits/s': middle(figures, 'credits'),
        'sweeps/s': middle(figures, 'sweeps'),
        'transactions/s': middle(figures, 'transactions'),
        'Redis commands/s': middle(figures, 'redisCommands'),
        'Postgres %': middle(figures, 'postgres'),
        'Redis %': middle(figures, 'redis'),
        'workers %': middle(figures, 'workers'),
      }
    }),
  )
  console.log(`\nCost of sweeps, % of a core, medians of ${options.rounds}\n\n${formatRows(rows)}`)
  for (const load of ['rest', 'steady']) {
    const [one, eight] = [1, 8].map((size) => middle(figuresOf(load, size), 'sweeps'))
    const growth = (eight ?? 0) / (one ?? 1)
    report.fact(`${load}: sweeps of 8 workers / of 1`, growth.toFixed(2))
    report.expect(`${load}: at most ${MOST_GROWTH}`, growth <= MOST_GROWTH, true)
  }
}
