import { INTERVAL_MS } from '#rules/constants'

/**
 * A duration in ms as a SQL interval literal, so that SQL takes its durations from the constants.
 */
export function durationSql(ms: number): string {
  return `interval '${ms} milliseconds'`
}

/** SQL twin of `intervalEnd` of #rules/mining: when interval `n` of the session `alias` ends. */
export function intervalEndSql(alias: string, n: string): string {
  return `${alias}."startTime" + ${n} * ${durationSql(INTERVAL_MS)}`
}

/** When the first interval of the session `alias` ends that is not credited yet. */
export function nextIntervalEndSql(alias: string): string {
  return intervalEndSql(alias, `(${alias}."creditedIntervals" + 1)`)
}
