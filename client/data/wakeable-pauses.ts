/** Pauses that end early when something happens. */
export function wakeablePauses() {
  const pauses = new Set<() => void>()
  return {
    /** Resolves after `ms`, or with the next `wake`. */
    pause(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          pauses.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        pauses.add(end)
      })
    },
    wake(): void {
      for (const end of [...pauses]) end()
    },
  }
}
