import type { Registry } from 'prom-client'
import { isMigrated } from '#db/migrations/schema-floor'
import type { Db } from '#db/postgres/statements/transaction'
import type { RedisClient } from '#runtime/redis/redis-client'

/** What the probes of a process look at. */
export type Probed = { db: Db; redis: RedisClient }

/** An answer to an operator's probe. */
export type ProbeAnswer = { status: number; type: string; body: string }

/** Whether a process can do its work: database, schema and Redis answer. */
async function isReady({ db, redis }: Probed): Promise<boolean> {
  try {
    const [migrated, pong] = await Promise.all([isMigrated(db), redis.ping()])
    return migrated && pong === 'PONG'
  } catch {
    return false
  }
}

function answer(ok: boolean): ProbeAnswer {
  return { status: ok ? 200 : 503, type: 'application/json', body: JSON.stringify({ ok }) }
}

/** The probes that every role answers, by path. */
export const PROBES: Record<string, (probed: Probed) => Promise<ProbeAnswer>> = {
  /** Alive. */
  '/healthz': async () => answer(true),
  /** Ready: database, schema and Redis answer; 503 otherwise. */
  '/readyz': async (probed) => answer(await isReady(probed)),
}

/** Prometheus metrics of the process; served on the operators' port only. */
export async function metricsAnswer(registry: Registry): Promise<ProbeAnswer> {
  return { status: 200, type: registry.contentType, body: await registry.metrics() }
}
