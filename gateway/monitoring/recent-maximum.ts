/** The largest value of the last one to two windows; 0 without a value. */
export class RecentMaximum {
  private current = 0
  private previous = 0
  private startedAt: number

  /** @param now monotonic ms */
  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now()
  }

  add(value: number): void {
    this.turn()
    this.current = Math.max(this.current, value)
  }

  get value(): number {
    this.turn()
    return Math.max(this.current, this.previous)
  }

  private turn(): void {
    const windows = Math.floor((this.now() - this.startedAt) / this.windowMs)
    if (windows === 0) return
    this.previous = windows === 1 ? this.current : 0
    this.current = 0
    this.startedAt += windows * this.windowMs
  }
}
