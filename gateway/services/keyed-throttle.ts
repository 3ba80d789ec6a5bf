/** Lets something happen at most once in `ms` for each key, in this process. Times are real, in ms. */
export class KeyedThrottle {
  /** When it last happened, oldest first; holds the keys of the last `ms`. */
  private readonly times = new Map<string, number>()

  constructor(private readonly ms: number) {}

  /** A time ahead of `now` is of a clock that was set back. */
  happenedLately(key: string, now: number): boolean {
    const at = this.times.get(key)
    return at !== undefined && at <= now && now - at < this.ms
  }

  /** True if it may happen now; then it counts as happened. */
  isDue(key: string, now: number): boolean {
    if (this.happenedLately(key, now)) return false
    for (const old of this.times.keys()) {
      if (this.happenedLately(old, now)) break
      this.times.delete(old)
    }
    this.times.set(key, now)
    return true
  }

  /** It did not happen after all. */
  forget(key: string): void {
    this.times.delete(key)
  }
}
