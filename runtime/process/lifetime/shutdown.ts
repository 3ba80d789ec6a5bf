const LIMIT_MS = 60_000

/** One Ctrl-C or `kill %1` arrives several times: from the terminal, from npm, from run.mjs and its child. */
const SAME_KEYSTROKE_MS = 1_000

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** A second signal exits immediately. */
export function stopAtSignals(stop: () => unknown): void {
  let stoppingSince: number | undefined
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now()
        stop()
      } else if (performance.now() - stoppingSince > SAME_KEYSTROKE_MS) process.exit(code)
    })
  }
}

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
