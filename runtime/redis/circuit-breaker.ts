import { setTimeout as sleep } from 'node:timers/promises'

/** Pause between two probes while the breaker is open. */
const PROBE_MS = 250
/**
 * A time-out within this time after an answer means a slow server and does not open the breaker.
 */
const SLOW_MS = 1_000

const NO_ANSWER = /Command timed out|max retries per request|Too many Cluster redirections/

function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && NO_ANSWER.test(error.message)
}

/**
 * Circuit breaker of one server, so that a request that needs several commands does not wait for
 * each time-out. Closed: commands are sent. Open, after a time-out: the caller fails commands
 * immediately. Half-open: a probe is on its way. An answered probe or `close` closes it.
 */
export class CircuitBreaker {
  private state: 'closed' | 'open' | 'half-open' = 'closed'
  private answeredAt = Number.NEGATIVE_INFINITY

  /** @param isEnded whether the connection was closed for good, which ends the probes */
  constructor(private readonly isEnded: () => boolean) {}

  get isClosed(): boolean {
    return this.state === 'closed'
  }

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
    this.state = 'closed'
  }

  private async open(probe: () => Promise<unknown>): Promise<void> {
    do {
      this.state = 'half-open'
      await probe().then(
        () => this.close(),
        () => {},
      )
      if (this.isClosed) return
      this.state = 'open'
      await sleep(PROBE_MS, undefined, { ref: false })
    } while (!this.isClosed && !this.isEnded())
  }
}

/** The error of commands that are not sent because the breaker is open: that of a time-out. */
export function openBreakerError(): Error {
  return new Error('Command timed out')
}
