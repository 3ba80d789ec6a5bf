/**
 * Lets the commands of one member run one after another in this process. They would wait for each
 * other's row locks anyway, but then each would hold a connection that other members need.
 */
export class KeyedMutex {
  private readonly last = new Map<number, Promise<unknown>>()

  /** Runs `work` when every earlier work of that key has ended, well or not. */
  async run<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key)
    }
  }
}
