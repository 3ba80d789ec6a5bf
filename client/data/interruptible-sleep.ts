/** Sleeps that `wake` ends early. */
export function interruptibleSleep() {
  const sleeping = new Set<() => void>()
  return {
    sleep(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          sleeping.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        sleeping.add(end)
      })
    },
    wake(): void {
      for (const end of [...sleeping]) end()
    },
  }
}
