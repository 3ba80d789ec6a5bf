const LIMIT_MS = 60_000

/** One Ctrl-C arrives up to three times: from the terminal, from npm and from run.mjs. */
const SAME_KEYSTROKE_MS = 1_000

type Close = () => Promise<unknown>

/** Everything started so far; closed in reverse order. */
export class Started {
  readonly #closes: Close[] = []
  #stoppingSince: number | undefined

  /** Whether the shutdown has begun; start nothing more. */
  get isStopping() {
    return this.#stoppingSince !== undefined
  }

  /** Registers how to close something, even while it is still starting. */
  add<T>(starting: Promise<T>, close: (started: T) => Promise<unknown>): Promise<T> {
    this.#closes.unshift(() => starting.then(close, () => {}))
    return starting
  }

  /** Closes everything one by one and ends the process. */
  async stop(exitCode: number): Promise<void> {
    if (this.isStopping) return
    this.#stoppingSince = Date.now()
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

  /** Stops on SIGINT, SIGTERM or SIGHUP; a second signal exits immediately. */
  stopAtSignals() {
    const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
    for (const [signal, code] of Object.entries(signals)) {
      process.on(signal, () => {
        if (this.#stoppingSince === undefined) {
          console.log('\nStopping …')
          void this.stop(0)
        } else if (Date.now() - this.#stoppingSince > SAME_KEYSTROKE_MS) process.exit(code)
      })
    }
  }
}
