const SEVERAL_PROCESSES = new Set(['Postgres', 'others'])
/** One Node.js process has one event loop. */
const CORE_PERCENT = 100
/** From here on, waiting time grows with each further request. */
const FULL = 0.9

/**
 * Names what limits the load from the share of one core that each process used. The event loop of a
 * full process limits first, even while other cores are idle; else the cores do.
 */
export function saturated(shares: Record<string, number>, cores: number): string {
  const sorted = Object.entries(shares).sort(([, a], [, b]) => b - a)
  const total = sorted.reduce((sum, [, share]) => sum + share, 0)
  const list = sorted.map(([name, share]) => `${name} ${Math.round(share)} %`).join(', ')
  const full = sorted.find(
    ([name, share]) => !SEVERAL_PROCESSES.has(name) && share >= FULL * CORE_PERCENT,
  )
  if (full) return `the event loop of the ${full[0]} (${list})`
  if (total >= FULL * cores * CORE_PERCENT) return `all ${cores} cores (${list})`
  return `nothing (${list})`
}
