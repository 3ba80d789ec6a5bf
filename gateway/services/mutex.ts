import { SECOND_MS } from '#rules/constants'
import { tooManyRequests } from './rate-limits.ts'

/** Commands of a member would wait for each other's row locks anyway, each with a connection that others need. */
export class KeyedMutex {
  private readonly last = new Map<number, Promise<unknown>>()

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

/** At most `width` pieces of work at a time; at most `queue` others wait, in first-come order. */
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
