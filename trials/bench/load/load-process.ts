import { requirePeer } from '#trials/bench/harness/peers'
import type { FromLoadProcess, Load, LoadFigures, ToLoadProcess } from './load.ts'

// HTTP load generator as its own process, so that it shares no event loop with what it measures.

type Client = { setRequests(requests: object[]): void }

type Figures = {
  latency: { p50: number; p99: number }
  duration: number
  errors: number
  timeouts: number
} & Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx', number>

/** What is used of autocannon, which declares no types. */
type Autocannon = (options: {
  url: string
  connections: number
  duration: number
  setupClient(client: Client): void
}) => Promise<Figures>

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

async function run({ url, seconds, connections }: Load): Promise<LoadFigures> {
  const autocannon = requirePeer<Autocannon>('autocannon')
  let next = 0
  const figures = await autocannon({
    url,
    connections: connections.length,
    duration: seconds,
    setupClient: (client) => client.setRequests(connections[next++] ?? []),
  })
  const statuses = Object.fromEntries(CLASSES.map((name) => [name, figures[name]]))
  return {
    perSecond: (figures['2xx'] + figures['3xx']) / figures.duration,
    p50Ms: figures.latency.p50,
    p99Ms: figures.latency.p99,
    statuses,
    failures: figures.errors + figures.timeouts,
  }
}

const send = (message: FromLoadProcess) => process.send?.(message)

process.on('message', ({ load }: ToLoadProcess) => {
  run(load).then(
    (figures) => send({ figures }),
    (error: Error) => send({ failed: error.stack ?? error.message }),
  )
})
process.on('disconnect', () => process.exit())
