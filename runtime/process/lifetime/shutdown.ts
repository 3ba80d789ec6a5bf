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
