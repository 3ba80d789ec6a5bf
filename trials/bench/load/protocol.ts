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
