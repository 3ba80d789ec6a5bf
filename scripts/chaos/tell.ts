/** Prints how long something took, for the figures of docs/faults.md, where `FAULT_TIMES` is set. */
export function tell(what: string, ms: number): void {
  if (process.env.FAULT_TIMES) console.log(`[fault] ${what}: ${(ms / 1_000).toFixed(1)} s`)
}
