import { INTERVAL_MS, REFERRAL_POLL_MS, STATUS_POLL_MS } from '#rules/constants'
import type { Costs, Cpu } from './costs.ts'

/** What a member does: mines without a page, or has the mining screen open with a socket or by polls. */
export type Kind = 'mines' | 'socket' | 'poll'

/** How often each happens, a second. */
type Rates = Record<keyof Costs, number>

/** As in `trials/bench/capacity/member.ts`, which sends what the client sends. */
const HALF_HOUR_S = 1_800
const PING_S = 10

const NOTHING: Rates = { unchanged: 0, read: 0, command: 0, push: 0, credit: 0 }
const CREDIT = 1_000 / INTERVAL_MS
const TEAM = 1_000 / REFERRAL_POLL_MS
const APP = 1 / HALF_HOUR_S
const COMMAND = 1 / HALF_HOUR_S

/** A page adds to mining. A poll after a credit is followed by reads of wallet and activity. */
export const RATES: Record<Kind, Rates> = {
  mines: { ...NOTHING, credit: CREDIT },
  socket: { ...NOTHING, read: TEAM + APP, command: COMMAND, push: CREDIT + COMMAND },
  poll: {
    ...NOTHING,
    unchanged: 1_000 / STATUS_POLL_MS - CREDIT,
    read: TEAM + APP + 3 * CREDIT,
    command: COMMAND,
  },
}

/** Payload of TCP in both directions, bytes a second (docs/measurements.md, traffic of one member). */
export const BYTES: Record<Kind, number> = {
  mines: 0,
  socket: 55_000 / 3_600,
  poll: 628_000 / 3_600,
}

/** Requests, answers, events and heartbeats of a member, a second. */
export function messagesOf(kind: Kind): number {
  const { unchanged, read, command, push } = RATES[kind]
  return 2 * (unchanged + read + command) + push + (kind === 'socket' ? 2 / PING_S : 0)
}

const PROCESSES = ['gateway', 'postgres', 'redis', 'workers'] as const

/** CPU time of a second of one member, µs. */
export function cpuOf(kind: Kind, costs: Costs): Cpu {
  const total: Cpu = { gateway: 0, postgres: 0, redis: 0, workers: 0 }
  for (const [what, rate] of Object.entries(RATES[kind])) {
    for (const process of PROCESSES) total[process] += rate * costs[what as keyof Costs][process]
  }
  return total
}

/** Members of each kind; those with a page mine too. */
export type Members = Record<Kind, number>

/** CPU of all members, percent of a core. */
export function cpuPercentOf(members: Members, costs: Costs): Cpu {
  const total: Cpu = { gateway: 0, postgres: 0, redis: 0, workers: 0 }
  for (const kind of Object.keys(members) as Kind[]) {
    const cpu = cpuOf(kind, costs)
    for (const process of PROCESSES) total[process] += (members[kind] * cpu[process]) / 1e4
  }
  return total
}
