import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { quantile } from '#trials/bench/harness/figures/statistics'
import { epochMs, type SocketLoad } from './socket-load.ts'

/** Time for the pushes of the last credits to arrive. */
const LATE_MS = 500

/** Credits that Postgres committed since then, with the time of their commit, epoch ms. */
const COMMITS_SQL = `
  select a."userId" as "memberId",
    (extract(epoch from pg_xact_commit_timestamp(a.xmin)) * 1000)::float8 as "committedAt"
  from wallet_activity a where a."createdAt" > product_now() - interval '10 minutes'
    and pg_xact_commit_timestamp(a.xmin) > to_timestamp(:since::float8 / 1000)`

/**
 * Times from the commit of each credit to the socket of its member, ms, while workers credit what
 * falls due. Needs `track_commit_timestamp`. A credit without a push counts as infinitely late.
 * @param memberIds the member of each socket
 */
async function commitToClient(
  db: Db,
  load: SocketLoad,
  memberIds: number[],
  seconds: number,
): Promise<number[]> {
  await load.count(Number.POSITIVE_INFINITY)
  const since = epochMs()
  await sleep(seconds * 1_000)
  const { rows } = await db.raw(COMMITS_SQL, { since })
  await sleep(LATE_MS)
  const arrivedAt = new Map(
    (await load.arrivals()).map(({ socket, at }) => [memberIds[socket], at] as const),
  )
  return rows.map(
    ({ memberId, committedAt }: { memberId: number; committedAt: number }) =>
      (arrivedAt.get(memberId) ?? Number.POSITIVE_INFINITY) - committedAt,
  )
}

/** Milliseconds from commit to client, one value a round, and the credits of all rounds. */
export type Latencies = { p50: number[]; p99: number[]; credits: number }

/** Rounds of `commitToClient`. */
export async function measureLatencies(
  db: Db,
  load: SocketLoad,
  memberIds: number[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Latencies> {
  const latencies: Latencies = { p50: [], p99: [], credits: 0 }
  for (let round = 0; round < rounds; round++) {
    const times = await commitToClient(db, load, memberIds, seconds)
    latencies.p50.push(quantile(times, 0.5))
    latencies.p99.push(quantile(times, 0.99))
    latencies.credits += times.length
  }
  return latencies
}
