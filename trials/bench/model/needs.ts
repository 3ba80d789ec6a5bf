import type { Constants, Cpu } from './costs.ts'
import { BYTES, cpuPercentOf, type Members, messagesOf } from './member.ts'

/** Shares of all members; the rest mines without a page. */
export const PAGES = { socket: 0.09, poll: 0.01 }
/** CPU that a process plans with, percent of a core: the rest is for peaks and failures. */
const PLANNED_PERCENT = 60
/** `SESSION_DETAIL_DAYS`: older sessions are totals of their member. */
const SESSION_DAYS = 90

/** Bytes of a member that mines without a break. */
export type Disk = {
  /** Users, wallet, stats and running session, with indexes. */
  hot: number
  /** Ledger of a day with single credits, and rolled up. */
  dayDetail: number
  dayRolled: number
  /** Session rows of a day. */
  daySessions: number
}

/**
 * Times by which a process cost more in a measured size than the bench's constants say: these are of
 * full processes, which handle many requests a turn.
 */
export type Factors = Pick<Cpu, 'gateway' | 'postgres' | 'redis'>

/** From the costs of full processes to those of the measured size; what is needed lies between. */
type Range = [number, number]

export type Needs = {
  members: number
  creditsPerSecond: number
  messagesPerSecond: number
  mbitPerSecond: number
  gateways: Range
  gatewayGb: number
  workerCores: number
  postgresCores: Range
  redisCores: Range
  hotGb: number
  detailGb: number
  yearGb: number
  sessionsGb: number
  /** Until every open page has its socket again after all gateways were lost, s. */
  reconnectS: number
}

const rounded = (value: number) => Number(value.toPrecision(2))
const cores = (percent: number) => rounded(Math.max(0.1, percent / PLANNED_PERCENT))
const coreRange = (percent: number, factor: number): Range => [
  cores(percent),
  cores(percent * factor),
]
/** Two are for restarts, whatever the load. */
const processes = (of: Range) => of.map((each) => Math.max(2, Math.ceil(each))) as Range

/** What a number of members needs, `detailDays` of single credits included. */
export function needsOf(
  members: number,
  { constants, disk, factors }: { constants: Constants; disk: Disk; factors: Factors },
  detailDays = 7,
): Needs {
  const kinds: Members = {
    mines: members,
    socket: members * PAGES.socket,
    poll: members * PAGES.poll,
  }
  const cpu = cpuPercentOf(kinds, constants.costs)
  const gateways = processes(coreRange(cpu.gateway, factors.gateway))
  const bytes = kinds.socket * BYTES.socket + kinds.poll * BYTES.poll
  const messages = kinds.socket * messagesOf('socket') + kinds.poll * messagesOf('poll')
  const memory = gateways[1] * constants.gatewayBytes + kinds.socket * constants.socketBytes
  return {
    members,
    creditsPerSecond: rounded(members / 1_200),
    messagesPerSecond: rounded(messages),
    mbitPerSecond: rounded((bytes * 8) / 1e6),
    gateways,
    gatewayGb: rounded(memory / 1e9),
    workerCores: cores(cpu.workers),
    postgresCores: coreRange(cpu.postgres, factors.postgres),
    redisCores: coreRange(cpu.redis, factors.redis),
    hotGb: rounded((members * disk.hot) / 1e9),
    detailGb: rounded((members * disk.dayDetail * detailDays) / 1e9),
    yearGb: rounded((members * disk.dayRolled * 365) / 1e9),
    sessionsGb: rounded((members * disk.daySessions * SESSION_DAYS) / 1e9),
    reconnectS: rounded(kinds.socket / (gateways[1] * constants.handshakes)),
  }
}
