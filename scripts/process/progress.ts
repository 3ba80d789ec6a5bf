/** Waits for a piece of work and prints how long it took; one that resolves with false is no news. */
export async function report<T>(what: string, work: Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work
  if (result !== false) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`  ${what.padEnd(36)}${seconds.padStart(5)} s`)
  }
  return result
}
