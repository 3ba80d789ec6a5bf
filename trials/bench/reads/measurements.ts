import { cpuSeconds } from '#trials/bench/harness/figures/process-figures'
import type { BenchServers } from '#trials/bench/harness/servers'
import type { LoadGenerator, LoadRequest } from '#trials/bench/load/load'
import type { Target } from './targets.ts'

/** What one round of a shape gave. */
export type Measurement = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU time of each process a request, µs. */
  cpu: { server: number; postgres: number; redis: number; load: number }
}

/** Loads a target and reads what it cost. */
export function measurer(servers: BenchServers, load: LoadGenerator, seconds: number) {
  return async ({ url, pid }: Target, connections: LoadRequest[][]): Promise<Measurement> => {
    const { postgres, redis } = servers.pids
    const pids = { server: pid, postgres, redis, load: load.pid }
    const cpuNow = () => Object.values(pids).map(cpuSeconds)
    const before = cpuNow()
    const { perSecond, p50Ms, p99Ms, statuses, failures } = await load.run({
      url,
      seconds,
      connections,
    })
    if (failures > 0 || statuses['5xx']) {
      throw new Error(`${url} failed: ${failures} failures, ${JSON.stringify(statuses)}`)
    }
    const answers = perSecond * seconds
    const [server = 0, ofPostgres = 0, ofRedis = 0, ofLoad = 0] = cpuNow().map(
      (now, at) => ((now - (before[at] ?? 0)) / answers) * 1e6,
    )
    const cpu = { server, postgres: ofPostgres, redis: ofRedis, load: ofLoad }
    return { perSecond, p50Ms, p99Ms, cpu }
  }
}
