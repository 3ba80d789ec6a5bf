import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  AbstractConnector,
  type ClusterOptions,
  type DNSLookupFunction,
  type RedisOptions,
  SentinelConnector,
} from 'ioredis'
import type { RedisNode, RedisTopology } from './topology.ts'

/** Longest wait for the answer to a command of a request, ms. */
export const COMMAND_MS = 2_000

/** Pause before the next try to connect, ms. */
export const retryMs = (attempt: number): number => Math.min(attempt * 100, 2_000)

/** Replies always have the shapes of RESP2. */
export type ConnectOptions = Omit<RedisOptions, 'replyMapping'>

type Of<Kind extends RedisTopology['kind']> = Extract<RedisTopology, { kind: Kind }>

/** A failover reported while Sentinels are asked ends the connection for good: ioredis repeats no try that it cut. */
class QuietSentinelConnector extends SentinelConnector {
  override connect(emitError: Parameters<SentinelConnector['connect']>[0]) {
    this.disconnect()
    return super.connect(emitError)
  }
}

export function sentinelOptions(topology: Of<'sentinel'>): ConnectOptions {
  const { nodes, master, db, username, password, sentinelPassword, tls } = topology
  return {
    sentinels: nodes,
    name: master,
    db,
    username,
    password,
    sentinelPassword,
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: 1_000,
    sentinelRetryStrategy: retryMs,
    sentinelReconnectStrategy: retryMs,
    // A frozen or cut off master closes no connection: a failover reported by a Sentinel does.
    failoverDetector: true,
    Connector: QuietSentinelConnector as Connector,
    // A master that was demoted while this connection stayed open.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  }
}

/** Time for a connection to close by itself, ms: a frozen node never closes it. */
const disconnectTimeout = 500

/** Certificates name hosts, so names are resolved by the connection. */
const dnsLookup: DNSLookupFunction = (host, callback) => callback(null, host)

export function clusterOptions(topology: Of<'cluster'>, options: ConnectOptions) {
  const { username, password, tls } = topology
  const { retryStrategy: _ofOneServer, ...ofNodes } = options
  return {
    redisOptions: { ...ofNodes, username, password, disconnectTimeout, ...(tls && { tls: {} }) },
    clusterRetryStrategy: retryMs,
    // A frozen or cut off master answers no MOVED: the others name its successor.
    slotsRefreshInterval: 2_000,
    // Without a pause, two nodes that name each other during a failover would be asked in a loop.
    retryDelayOnMoved: 50,
    ...(tls && { dnsLookup }),
  } satisfies ClusterOptions
}

type Connector = NonNullable<RedisOptions['Connector']>

/** Time for a connection to close by itself before it is cut, ms. */
const CLOSE_MS = 2_000

/** For subscriptions to a cluster: a random node first, after each lost connection or failed try the next one. */
export function anyNodeConnector(nodes: RedisNode[], tls: boolean): Connector {
  let next = Math.floor(Math.random() * nodes.length)
  return class extends AbstractConnector {
    constructor() {
      super(CLOSE_MS)
    }

    async connect() {
      const { host = '', port = 0 } = nodes[next++ % nodes.length] ?? {}
      const stream = tls ? connectTls({ host, port, servername: host }) : connect({ host, port })
      stream.once('error', (error) => {
        this.firstError = error
      })
      this.stream = stream
      return stream
    }
  }
}
