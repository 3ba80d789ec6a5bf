import { randomUUID } from 'node:crypto'
import { quantile } from '#trials/bench/measure'
import { requirePeer } from '#trials/bench/peers'
import { serve } from '#trials/kit/fork'

// HTTP load generator in its own process, so that it shares no event loop with what it measures.

export type LoadRequest = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
}

/** Each connection sends its requests in a circle, one at a time. */
type HttpLoad = { url: string; seconds: number; connections: LoadRequest[][] }

/** A request, and what autocannon calls before it sends it again. */
type SetUp = LoadRequest & { setupRequest?(request: LoadRequest): LoadRequest }

const setUp = (request: LoadRequest): SetUp =>
  request.method === 'GET'
    ? request
    : {
        ...request,
        setupRequest: (sent) => {
          const headers = { ...sent.headers, 'idempotency-key': randomUUID() }
          return { ...sent, headers }
        },
      }

/** What is used of autocannon, which declares no types. */
type Autocannon = (options: {
  url: string
  connections: number
  duration: number
  setupClient(client: {
    setRequests(requests: SetUp[]): void
    on(event: 'response', listener: (status: number, bytes: number, ms: number) => void): void
  }): void
}) => Promise<
  {
    duration: number
    errors: number
    timeouts: number
  } & Record<'2xx' | '3xx' | '4xx' | '5xx', number>
>

const CALLS = {
  /** Answers with status 2xx or 3xx a second, and the latency of all answers in ms. */
  async run({ url, seconds, connections }: HttpLoad) {
    let next = 0
    // Its own figures are whole milliseconds.
    const times: number[] = []
    const figures = await requirePeer<Autocannon>('autocannon')({
      url,
      connections: connections.length,
      duration: seconds,
      setupClient(client) {
        client.setRequests((connections[next++] ?? []).map(setUp))
        client.on('response', (_status, _bytes, ms) => times.push(ms))
      },
    })
    const failures = figures.errors + figures.timeouts + figures['5xx']
    if (failures > 0) throw new Error(`${url} failed ${failures} times`)
    return {
      perSecond: (figures['2xx'] + figures['3xx']) / figures.duration,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    }
  },
}
export type HttpLoadCalls = typeof CALLS
serve(CALLS)
