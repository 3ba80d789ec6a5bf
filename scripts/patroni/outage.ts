import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/transaction'
import { dueSessions } from '#scripts/chaos/due-sessions'
import type { Load } from '#scripts/chaos/load'
import type { PatroniCluster } from './cluster.ts'
import type { PatroniNode } from './patroni-node.ts'
import type { Prober } from './prober.ts'

/** Within this time after a fault, commands are answered and credits are paid again. */
const LIMIT_MS = 30_000
/** Time of normal work before each fault. */
const LOAD_MS = 3_000
const STALL_MS = 1_000
const CREDITS_LIMIT_MS = 60_000

/** A fault of the primary; `undo` is called when another node has taken over. */
export type Fault = {
  title: string
  strike(primary: PatroniNode): Promise<void>
  undo(former: PatroniNode): Promise<void> | void
}

export const KILL: Fault = {
  title: 'kill -9 of Patroni and PostgreSQL',
  strike: (primary) => primary.kill(),
  undo: (former) => former.start(),
}

/** Nothing that is committed in the last second reaches a replica, so it must not be confirmed. */
export const STALL_AND_KILL: Fault = {
  ...KILL,
  title: 'replication stops, kill -9 a second later',
  async strike(primary) {
    primary.stopSendingWal()
    await sleep(STALL_MS)
    await primary.kill()
  },
}

export const FREEZE: Fault = {
  title: 'Patroni and PostgreSQL frozen',
  strike: async (primary) => primary.signal('SIGSTOP'),
  undo: (former) => former.signal('SIGCONT'),
}

/** `POST /switchover` as `patronictl switchover` sends it. */
export const switchover = (cluster: PatroniCluster): Fault => ({
  title: 'planned switchover',
  strike: (primary) => cluster.switchover(primary),
  undo: () => {},
})

export type Outage = {
  title: string
  from: string
  to: string
  /** Longest time without an answered command at a gateway, ms. */
  commandsMs: number
  /** Time until due intervals are credited, ms. */
  creditsMs: number
  /** Answers 503 and requests without an answer, of members who then repeated them. */
  unavailable: number
  lost: number
}

export const isTooLong = ({ commandsMs, creditsMs }: Outage) =>
  Math.max(commandsMs, creditsMs) > LIMIT_MS

/** Strikes the primary under load, waits until members are served again, and brings the node back. */
export async function measureOutage(
  { cluster, load, prober, db }: { cluster: PatroniCluster; load: Load; prober: Prober; db: Db },
  { title, strike, undo }: Fault,
): Promise<Outage> {
  await sleep(LOAD_MS)
  const primary = await cluster.expectPrimary()
  const before = { ...load.tally }
  const since = Date.now()
  await strike(primary)
  const next = await cluster.replaced(primary)
  await prober.answers()
  const commandsMs = prober.longestGap(since)
  await untilCredited(db)
  const creditsMs = Date.now() - since
  const { tally } = load
  await undo(primary)
  await cluster.settled()
  return {
    title,
    from: primary.name,
    to: next.name,
    commandsMs,
    creditsMs,
    unavailable: tally.unavailable - before.unavailable,
    lost: tally.lost - before.lost,
  }
}

/** Waits until workers have credited sessions that are due now. */
async function untilCredited(db: Db): Promise<void> {
  const uncredited = await dueSessions(db)
  const end = Date.now() + CREDITS_LIMIT_MS
  while ((await uncredited()) > 0) {
    if (Date.now() > end) throw new Error('due intervals are not credited')
    await sleep(100)
  }
}
