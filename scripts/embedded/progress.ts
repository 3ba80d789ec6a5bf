/** Waits for work and prints its duration, unless it resolves with false (nothing was done). */
export async function report<T>(what: string, work: Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work
  if (result !== false) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`  ${what.padEnd(36)}${seconds.padStart(5)} s`)
  }
  return result
}
