const LIMIT_MS = 60_000

/** One Ctrl-C reaches the process up to three times: from the terminal, from npm and from the runner. */
const SAME_KEYSTROKE_MS = 1_000

type Close = () => Promise<unknown>

/** What has been started so far and must be closed again, last one first. */
export class Started {
  readonly #closes: Close[] = []
  #stoppingSince: number | undefined

  /** Whether the end has begun: nothing more should be started. */
  get isStopping() {
    return this.#stoppingSince !== undefined
  }

  /** Remembers how to close something, also while it is still starting. */
  add<T>(starting: Promise<T>, close: (started: T) => Promise<unknown>): Promise<T> {
    this.#closes.unshift(() => starting.then(close, () => {}))
    return starting
  }

  /** Closes everything in turn, and ends the process. */
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
    // Libraries keep timers and sockets open here and there; everything of ours is closed.
    process.exit(exitCode)
  }

  /** Stops at SIGINT, SIGTERM or SIGHUP; at a second one without waiting. */
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
