type Run = (dueAt: number) => void

const TICK_MS = 5

/** Runs tens of thousands of repeated tasks with one timer. Times are of `performance.now()`, ms. */
export class Timetable {
  private readonly ticks = new Map<number, Run[]>()
  private lastTick = Math.floor(performance.now() / TICK_MS)

  constructor() {
    setInterval(() => this.runDue(), TICK_MS)
  }

  at(time: number, run: Run): void {
    const tick = Math.max(this.lastTick + 1, Math.ceil(time / TICK_MS))
    const runs = this.ticks.get(tick)
    if (runs) runs.push(run)
    else this.ticks.set(tick, [run])
  }

  /**
   * Runs `run` each `periodMs` ± `jitter` for ever, the first time within one period. As in the
   * client, the pause to the next run starts when the promise of `run` has settled.
   */
  each(periodMs: number, jitter: number, run: (dueAt: number) => Promise<void>): void {
    const next = () =>
      this.at(performance.now() + periodMs * (1 - jitter + 2 * jitter * Math.random()), work)
    const work = (dueAt: number) => void run(dueAt).finally(next)
    this.at(performance.now() + periodMs * Math.random(), work)
  }

  private runDue(): void {
    const now = Math.floor(performance.now() / TICK_MS)
    while (this.lastTick < now) {
      this.lastTick++
      const runs = this.ticks.get(this.lastTick) ?? []
      this.ticks.delete(this.lastTick)
      for (const run of runs) run(this.lastTick * TICK_MS)
    }
  }
}
