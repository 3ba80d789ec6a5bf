import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { ensurePeers } from '#trials/bench/harness/peers'

/** One request of a connection. */
export type LoadRequest = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
}

/** Load on one server. Each connection sends its requests in a circle, one at a time. */
export type Load = {
  url: string
  seconds: number
  /** The requests of each connection. */
  connections: LoadRequest[][]
}

export type LoadFigures = {
  /** Answers with status 2xx or 3xx a second. */
  perSecond: number
  /** Latency of all answers, ms. */
  p50Ms: number
  p99Ms: number
  /** Answers by class of their status: `2xx`, `4xx`. */
  statuses: Record<string, number>
  /** Connections that failed or timed out. */
  failures: number
}

export type ToLoadProcess = { load: Load }
export type FromLoadProcess = { figures: LoadFigures } | { failed: string }

/** The load generator's process. */
export type LoadGenerator = {
  pid: number
  run(load: Load): Promise<LoadFigures>
  stop(): void
}

/** Starts the load generator. */
export async function startLoadGenerator(): Promise<LoadGenerator> {
  await ensurePeers()
  const child = fork(path.join(ROOT, 'trials/bench/load/load-process.ts'), [], {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  return {
    pid: child.pid ?? 0,
    async run(load) {
      child.send({ load })
      const [message] = (await once(child, 'message')) as [FromLoadProcess]
      if ('failed' in message) throw new Error(message.failed)
      return message.figures
    },
    stop: () => child.disconnect(),
  }
}
