import { setTimeout as sleep } from 'node:timers/promises'
import { interleave } from '#trials/bench/harness/figures/interleave'
import { residentMb } from '#trials/bench/harness/figures/process-figures'
import { quantile } from '#trials/bench/harness/figures/statistics'
import type { BenchOptions } from '#trials/bench/result'
import type { Side } from './sides.ts'
import { epochMs, type SocketLoad, startSocketLoad } from './socket-load.ts'

/** Time for a process to settle before its memory is read. */
const SETTLE_MS = 2_000
/** Bursts of one round; the first one warms the code up and is not counted. */
const BURSTS = 3

/** One value a round for each side. */
export type SideFigures<Name extends string> = Record<
  /** Handshakes a second, resident MB at rest, kB a socket over rest, sockets a second of a burst. */
  'connects' | 'rest' | 'perSocket' | 'burst',
  Record<Name, number[]>
>

/**
 * Starts each side anew in each round, opens a socket of every member there and lets all members
 * change at the same time.
 */
export async function measureSides<Name extends string>(
  sides: Record<Name, () => Promise<Side>>,
  { memberIds, cookies }: { memberIds: number[]; cookies: string[] },
  { rounds, log }: Pick<BenchOptions, 'rounds' | 'log'>,
): Promise<SideFigures<Name>> {
  const names = Object.keys(sides) as Name[]
  const empty = () => Object.fromEntries(names.map((name) => [name, []])) as never
  const figures: SideFigures<Name> = {
    connects: empty(),
    rest: empty(),
    perSocket: empty(),
    burst: empty(),
  }
  const measure = (name: Name) => async () => {
    const side = await sides[name]()
    await sleep(SETTLE_MS)
    const restMb = residentMb(side.pid)
    const load = startSocketLoad()
    const ms = await load.open({ port: side.port, origin: side.origin, cookies })
    await sleep(SETTLE_MS)
    figures.rest[name].push(restMb)
    figures.perSocket[name].push(((residentMb(side.pid) - restMb) * 1_000) / cookies.length)
    figures.burst[name].push(await burst(side, load, memberIds))
    load.stop()
    await side.stop()
    log(`${name}: ${cookies.length} sockets in ${Math.round(ms)} ms`)
    return (cookies.length / ms) * 1_000
  }
  const shapes = Object.fromEntries(names.map((name) => [name, measure(name)]))
  // Each round starts new processes, so a warm-up round would change nothing.
  figures.connects = await interleave(shapes as Record<Name, () => Promise<number>>, {
    rounds,
    warmUps: 0,
  })
  return figures
}

/** Sockets a second of the median burst: from the change to the last socket. */
async function burst(side: Side, load: SocketLoad, memberIds: number[]): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < BURSTS; n++) {
    const lastReceived = await load.count(memberIds.length)
    const startedAt = epochMs()
    side.sendToAll(memberIds)
    times.push((await lastReceived()) - startedAt)
    await sleep(SETTLE_MS / 4)
  }
  return (memberIds.length / quantile(times.slice(1), 0.5)) * 1_000
}
