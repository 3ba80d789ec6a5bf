/** What each process did in one second; undefined if it could not be asked. */
export type Second = (number | undefined)[]

const sumOf = (second: Second) => second.reduce<number>((sum, done) => sum + (done ?? 0), 0)

/** What each of `processes` did in all of the seconds. */
export function totals(seconds: Second[], processes: number): number[] {
  return Array.from({ length: processes }, (_, n) => sumOf(seconds.map((second) => second[n])))
}

/** Seconds in a row in which nothing was done, at most. */
export function longestPause(seconds: Second[]): number {
  let [longest, pause] = [0, 0]
  for (const second of seconds) {
    pause = sumOf(second) > 0 ? 0 : pause + 1
    longest = Math.max(longest, pause)
  }
  return longest
}

/** Share of the sum that the busiest process has: 1 / processes if all did the same. */
export function largestShare(counts: number[]): number {
  const sum = sumOf(counts)
  return sum === 0 ? 0 : Math.max(...counts) / sum
}
