import type { CrowdCalls } from './crowd-process.ts'
import { Forked } from './fork.ts'

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

/** Thousands of sockets in another process, so that they do not slow down the measurement. */
export type Crowd = {
  figures(): Promise<CrowdFigures>
  reset(): Promise<void>
  stop(): void
}

/** Opens the sockets; they reconnect until `stop`. */
export function startCrowd(options: CrowdOptions): Crowd {
  const child = new Forked<CrowdCalls>('trials/kit/crowd-process.ts')
  // Opening lasts seconds; whoever waits for it polls the figures.
  child.call('open', options).catch(() => {})
  return {
    figures: () => child.call('figures'),
    reset: () => child.call('reset'),
    stop: () => child.end(),
  }
}

/** The 95th percentile. */
export function p95(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}
