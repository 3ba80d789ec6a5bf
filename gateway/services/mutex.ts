import { SECOND_MS } from '#rules/constants'
import { tooManyRequests } from './rate-limits.ts'

/**
 * Runs the commands of one member one after another within this process. They would wait for each
 * other's row locks anyway, but each would then hold a database connection that others need.
 */
export class KeyedMutex {
  private readonly last = new Map<number, Promise<unknown>>()

  /** Runs `work` after all earlier work of that member has settled. */
  async run<T>(memberId: number, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(memberId) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.last.set(memberId, mine)
    try {
      return await mine
    } finally {
      if (this.last.get(memberId) === mine) this.last.delete(memberId)
    }
  }
}

/**
 * Runs at most `width` pieces of work at a time; the others wait in first-come order, at most `queue` of
 * them.
 */
export class Semaphore {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(
    width: number,
    private readonly queue = Number.POSITIVE_INFINITY,
  ) {
    this.free = width
  }

  /** @throws {RuleError} `too_many_requests` if the queue is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else if (this.waiting.length >= this.queue) throw tooManyRequests(SECOND_MS)
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }
}
