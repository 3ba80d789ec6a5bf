import { fork } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

export type CrowdOptions = {
  urls: string[]
  /** Cookie headers of the members; the sockets share them round robin. */
  cookies: string[]
  sockets: number
  /** Longest delay between two attempts of a socket; 15 s in the client. */
  longestDelayMs: number
}

/** Counters since the start or the last reset. */
export type CrowdFigures = {
  /** Sockets that are open now; a reset keeps this. */
  connected: number
  /** Handshakes sent. */
  attempts: number
  /** Latency of each REST response, ms. */
  latenciesMs: number[]
  /** Responses other than 200. */
  errors: number
  /** Requests without a response. */
  lost: number
}

export const NO_FIGURES: CrowdFigures = {
  connected: 0,
  attempts: 0,
  latenciesMs: [],
  errors: 0,
  lost: 0,
}

/** Thousands of sockets in a process of their own, so that they do not slow down the measurement. */
export type Crowd = {
  /** At most 100 ms old. */
  figures(): CrowdFigures
  reset(): void
  stop(): void
}

/** Opens the sockets; they reconnect until `stop`. */
export function startCrowd(options: CrowdOptions): Crowd {
  const child = fork(path.join(ROOT, 'trials/chaos/crowd/crowd-process.ts'), {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  let figures = NO_FIGURES
  child.on('message', (message: CrowdFigures) => {
    figures = message
  })
  child.send(options)
  return {
    figures: () => figures,
    reset: () => void child.send('reset'),
    stop: () => void child.kill('SIGKILL'),
  }
}

/** The 95th percentile. */
export function p95(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}
