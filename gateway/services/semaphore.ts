/** Runs at most `width` pieces of work at a time; the others wait in first-come order. */
export class Semaphore {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(width: number) {
    this.free = width
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
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
