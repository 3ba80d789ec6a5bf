/** The value below which this share of the sorted values lies; NaN without values. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.min(sorted.length - 1, Math.floor(share * sorted.length))
  return sorted[at] ?? Number.NaN
}

/** Middle value; of an even number of values, the mean of the two middle ones. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted.length >> 1
  const lower = sorted.length % 2 === 0 ? upper - 1 : upper
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2
}
