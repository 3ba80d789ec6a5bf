import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** Pause between two probes while the breaker is open. */
const PROBE_MS = 250
/**
 * A time-out within this time after an answer means a slow server and does not open the breaker.
 */
const SLOW_MS = 1_000
/**
 * Sent even while the breaker is open: by the probe, and by a new connection before it is ready.
 */
const PROBE_COMMANDS = new Set(['ping', 'hello', 'auth', 'client', 'select', 'info', 'readonly'])

type Sent = Parameters<Redis['sendCommand']>

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /Command timed out|max retries per request/.test(error.message)
}

/**
 * Redis behind a circuit breaker, so that a request that needs several commands does not wait for
 * each time-out. Closed: commands are sent. Open, after a time-out: commands fail immediately.
 * Half-open: a probe is on its way. An answered probe or a new connection closes the breaker.
 */
export class FailFastRedis extends Redis {
  private breaker: 'closed' | 'open' | 'half-open' = 'closed'
  private answeredAt = Number.NEGATIVE_INFINITY

  private get isClosed(): boolean {
    return this.breaker === 'closed'
  }

  override sendCommand(...[command, stream]: Sent): unknown {
    if (!this.isClosed && !PROBE_COMMANDS.has(command.name)) {
      command.reject(new Error('Command timed out'))
      return command.promise
    }
    const sent = super.sendCommand(command, stream)
    command.promise.then(
      () => {
        this.answeredAt = performance.now()
      },
      (error) => {
        const isSlow = performance.now() - this.answeredAt < SLOW_MS
        if (isTimeout(error) && !isSlow && this.isClosed) void this.openBreaker()
      },
    )
    return sent
  }

  private async openBreaker(): Promise<void> {
    this.once('ready', this.closeBreaker)
    do {
      this.breaker = 'half-open'
      await this.ping().then(this.closeBreaker, () => {})
      if (this.isClosed) return
      this.breaker = 'open'
      await sleep(PROBE_MS, undefined, { ref: false })
    } while (!this.isClosed && this.status !== 'end')
  }

  private readonly closeBreaker = () => {
    this.breaker = 'closed'
    this.off('ready', this.closeBreaker)
  }
}
