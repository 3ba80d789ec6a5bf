import { Cluster } from 'ioredis'
import { CircuitBreaker, openBreakerError } from './circuit-breaker.ts'
import { COMMAND_MS } from './connect-options.ts'

/** Asks whether a slot is served; sent even while the breaker of its master is open. */
const PROBE_COMMAND = 'exists'

type Sent = Parameters<Cluster['sendCommand']>

/**
 * A Redis Cluster with a circuit breaker for each master: a lost master fails the commands of its
 * slots immediately and no others. After a failover its slots belong to another master, whose
 * breaker is closed. Commands without a key go to any node and have no breaker.
 */
export class FailFastCluster extends Cluster {
  private readonly breakers = new Map<string, CircuitBreaker>()

  /** @param node set for the commands of a pipeline or transaction, which has one slot */
  override sendCommand(...[command, stream, node]: Sent): unknown {
    // A cluster has no time-out for commands that wait for a connection to any node.
    command.setTimeout(COMMAND_MS)
    const [key] = command.getKeys()
    const slot: number | null = (node as { slot?: number } | undefined)?.slot ?? command.getSlot()
    const master = slot === null ? undefined : this.slots[slot]?.[0]
    if (master === undefined || command.name === PROBE_COMMAND) {
      return super.sendCommand(command, stream, node)
    }
    const breaker = this.breakerOf(master)
    if (!breaker.isClosed) {
      command.reject(openBreakerError())
      return command.promise
    }
    const sent = super.sendCommand(command, stream, node)
    if (key !== undefined) breaker.watch(command.promise, () => this.exists(key))
    return sent
  }

  private breakerOf(master: string): CircuitBreaker {
    const known = this.breakers.get(master)
    if (known) return known
    const breaker = new CircuitBreaker(() => this.status === 'end')
    this.breakers.set(master, breaker)
    return breaker
  }
}
