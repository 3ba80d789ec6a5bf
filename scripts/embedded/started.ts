import { stopAtSignals } from '#runtime/process/lifetime/shutdown'

const LIMIT_MS = 60_000

type Close = () => Promise<unknown>

/** Closes what was started in reverse order. */
export class Started {
  readonly #closes: Close[] = []
  isStopping = false

  /** Registers how to close something, even while it is still starting. */
  add<T>(starting: Promise<T>, close: (started: T) => Promise<unknown>): Promise<T> {
    this.#closes.unshift(() => starting.then(close, () => {}))
    return starting
  }

  async stop(exitCode: number): Promise<void> {
    if (this.isStopping) return
    this.isStopping = true
    setTimeout(() => process.exit(1), LIMIT_MS).unref()
    for (const close of this.#closes) {
      try {
        await close()
      } catch (error) {
        console.error(error)
        exitCode ||= 1
      }
    }
    // Exits explicitly: some libraries leave timers and sockets open.
    process.exit(exitCode)
  }

  stopAtSignals() {
    stopAtSignals(() => {
      if (!this.isStopping) console.log('\nStopping …')
      void this.stop(0)
    })
  }
}
