/** Prints a duration for the figures in docs/faults.md if the environment sets `FAULT_TIMES`. */
export function reportTime(step: string, ms: number): void {
  if (process.env.FAULT_TIMES) console.log(`[fault] ${step}: ${(ms / 1_000).toFixed(1)} s`)
}
