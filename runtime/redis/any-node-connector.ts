import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'
import type { RedisNode } from './topology.ts'

type Connector = NonNullable<RedisOptions['Connector']>

/** Time for a connection to close by itself before it is cut, ms. */
const CLOSE_MS = 2_000

/**
 * Connects to one of several equal nodes: to a random one first, after each lost connection or
 * failed try to the next. For subscriptions to a cluster, which every node serves alike.
 */
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
