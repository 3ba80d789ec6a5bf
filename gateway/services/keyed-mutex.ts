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
