import type { Redis } from 'ioredis'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { readClockSpeed } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { orNothing } from '#runtime/or-nothing'
import { remembered } from '#runtime/remembered'

/** What members learn about the service: two words and no figures, which would help an attacker. */
export type ServiceStatus = { credits: Punctuality; updates: Punctuality }
export type Punctuality = 'on_time' | 'delayed'

/** Real seconds by which a credit may be late: workers that restart catch up within a minute. */
const CREDITS_LATE_S = 60
/** Seconds by which a push may be late: a poll would have shown the change by then. */
const PUSHES_LATE_S = 5
/** The page is public: many readers share one read of Postgres. */
const KEPT_MS = 10_000
const READ_LIMIT_MS = 2_000

type StatusSources = {
  db: Db
  /** Delay of the slowest push of the last minutes, seconds. */
  slowestPush: { value: number }
  subscriber: Pick<Redis, 'status'>
}

const punctual = (isOnTime: boolean): Punctuality => (isOnTime ? 'on_time' : 'delayed')

/** Credits that cannot be read cannot be paid either. */
async function areCreditsOnTime(db: Db): Promise<boolean> {
  // A demonstration runs faster, and its sweeps do not.
  const read = async () => (await creditLagSeconds(db)) / Math.max(1, await readClockSpeed(db))
  const lag = await orNothing(read(), READ_LIMIT_MS)
  return lag !== undefined && lag <= CREDITS_LATE_S
}

export function serviceStatusReader(
  { db, slowestPush, subscriber }: StatusSources,
  now?: () => number,
): () => Promise<ServiceStatus> {
  const creditsAreOnTime = remembered(() => areCreditsOnTime(db), KEPT_MS, now)
  return async () => ({
    credits: punctual(await creditsAreOnTime()),
    updates: punctual(subscriber.status === 'ready' && slowestPush.value <= PUSHES_LATE_S),
  })
}
