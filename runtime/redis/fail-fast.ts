import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { COMMAND_MS } from './connect-options.ts'

const PROBE_MS = 250
/** A time-out within this time after an answer means a slow server and does not open the breaker. */
const SLOW_MS = 1_000

const NO_ANSWER = /Command timed out|max retries per request|Too many Cluster redirections/

function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && NO_ANSWER.test(error.message)
}

/**
 * Keeps a request with several commands from waiting for each time-out: after one, commands fail immediately while
 * probes ask the server. An answered probe or `close` closes the breaker.
 */
export class CircuitBreaker {
  isClosed = true
  private answeredAt = Number.NEGATIVE_INFINITY

  /** `isEnded`: the connection was closed for good, which ends the probes. */
  constructor(private readonly isEnded: () => boolean) {}

  /** Opens when `answer` rejects with a time-out; `probe` then asks whether the server answers. */
  watch(answer: Promise<unknown>, probe: () => Promise<unknown>): void {
    answer.then(
      () => {
        this.answeredAt = performance.now()
      },
      (error) => {
        const isSlow = performance.now() - this.answeredAt < SLOW_MS
        if (isNoAnswer(error) && !isSlow && this.isClosed) void this.open(probe)
      },
    )
  }

  close(): void {
    this.isClosed = true
  }

  private async open(probe: () => Promise<unknown>): Promise<void> {
    this.isClosed = false
    while (!this.isClosed && !this.isEnded()) {
      await probe().then(
        () => this.close(),
        () => sleep(PROBE_MS, undefined, { ref: false }),
      )
    }
  }
}

/** The same error as for a time-out. */
export function openBreakerError(): Error {
  return new Error('Command timed out')
}

/** Sent even while the breaker is open: by the probe, and by a new connection before it is ready. */
const PROBE_COMMANDS = new Set(['ping', 'hello', 'auth', 'client', 'select', 'info', 'readonly'])

type Sent = Parameters<Redis['sendCommand']>

/** A new connection also closes the breaker. */
function breakerOf(redis: Redis): CircuitBreaker {
  const breaker = new CircuitBreaker(() => redis.status === 'end')
  redis.on('ready', () => breaker.close())
  return breaker
}

export class FailFastRedis extends Redis {
  private readonly breaker = breakerOf(this)
  private isCorked = false

  override sendCommand(...[command, stream]: Sent): unknown {
    if (!this.breaker.isClosed && !PROBE_COMMANDS.has(command.name)) {
      command.reject(openBreakerError())
      return command.promise
    }
    this.cork()
    const sent = super.sendCommand(command, stream)
    this.breaker.watch(command.promise, () => this.ping())
    return sent
  }

  /** All commands of one turn of the event loop leave in one write. */
  private cork(): void {
    const { stream } = this
    if (this.isCorked || !stream) return
    this.isCorked = true
    stream.cork()
    setImmediate(() => {
      this.isCorked = false
      stream.uncork()
    })
  }
}

/** Asks whether a slot is served; sent even while the breaker of its master is open. */
const PROBE_COMMAND = 'exists'

type SentToCluster = Parameters<Cluster['sendCommand']>

/**
 * A breaker for each master: a lost one fails only the commands of its slots. After a failover they belong to another
 * master, whose breaker is closed. Commands without a key go to any node and have no breaker.
 */
export class FailFastCluster extends Cluster {
  private readonly breakers = new Map<string, CircuitBreaker>()

  /** @param node set for the commands of a pipeline or transaction, which has one slot */
  override sendCommand(...[command, stream, node]: SentToCluster): unknown {
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
