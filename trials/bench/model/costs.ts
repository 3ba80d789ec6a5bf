import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { median } from '#trials/bench/harness/figures/statistics'
import type { StoredResult } from '#trials/bench/result'

/** CPU time by process, µs. */
export type Cpu = { gateway: number; postgres: number; redis: number; workers: number }

/** What a member causes, and the CPU time of each. */
export type Costs = {
  /** A status poll that is answered 304. */
  unchanged: Cpu
  /** A read that is answered with data, or that asks Postgres whether there is any. */
  read: Cpu
  /** A start, a stop or a claim. */
  command: Cpu
  /** One event to one socket. */
  push: Cpu
  /** One credit at a steady load. */
  credit: Cpu
}

export type Constants = {
  costs: Costs
  /** Memory of a gateway, bytes: without sockets, and for each socket. */
  gatewayBytes: number
  socketBytes: number
  /** Handshakes a second of one gateway. */
  handshakes: number
}

/** Of the two-core run that measured bursts, gateway and Postgres had about these parts of a push. */
const PUSH_IN_POSTGRES = 0.3
/** Credits a second of the steady load that the part `credits` measures. */
const STEADY_CREDITS = 833

function stored(part: string): (table: string, label: string) => number {
  const file = path.join(ROOT, 'docs/performance', `${part}.json`)
  const { tables }: StoredResult = JSON.parse(fs.readFileSync(file, 'utf8'))
  return (id, label) => {
    const row = tables.find((table) => table.id === id)?.rows.find((each) => each.label === label)
    if (!row) throw new Error(`${part}.json has no "${label}" in its table ${id}`)
    return median(row.values)
  }
}

/** The medians of the stored results of `npm run bench` that the model calculates with. */
export function measuredConstants(): Constants {
  const [reads, sockets, credits] = [stored('reads'), stored('sockets'), stored('credits')]
  const request = (name: string): Cpu => ({
    gateway: reads('cpu', `product, ${name}: server`),
    postgres: reads('cpu', `product, ${name}: postgres`),
    redis: reads('cpu', `product, ${name}: redis`),
    workers: 0,
  })
  /** What the steady load adds to rest, for each credit. */
  const ofCredit = (process: string) => {
    const percent = (load: string) => credits('steady', `${load}, ${process}`)
    return (
      ((percent(`${STEADY_CREDITS} credits/s`) - percent('nothing due')) * 1e4) / STEADY_CREDITS
    )
  }
  const push = 1e6 / sockets('burst', 'product')
  return {
    costs: {
      unchanged: request('unchanged status (304)'),
      read: request('status'),
      command: request('stop and start'),
      push: {
        gateway: push * (1 - PUSH_IN_POSTGRES),
        postgres: push * PUSH_IN_POSTGRES,
        redis: 0,
        workers: 0,
      },
      credit: {
        gateway: 0,
        postgres: ofCredit('postgres'),
        redis: ofCredit('redis'),
        workers: ofCredit('worker'),
      },
    },
    gatewayBytes: sockets('rest', 'product') * 1e6,
    socketBytes: sockets('memory', 'product') * 1e3,
    handshakes: sockets('connects', 'product'),
  }
}
