import { INTERVAL_MS } from '#rules/constants'

/**
 * A duration in ms as a SQL interval literal, so that SQL takes its durations from the constants.
 */
export function durationSql(ms: number): string {
  return `interval '${ms} milliseconds'`
}

/** How SQL adds a duration to a time. */
export type AddSql = (time: string, duration: string) => string

const add: AddSql = (time, duration) => `${time} + ${duration}`

/**
 * Immutable, unlike `timestamptz + interval`, whose result may depend on the time zone of the session:
 * Citus refuses that on columns of a changed row. It costs two conversions.
 */
export const addInUtc: AddSql = (time, duration) =>
  `(((${time} at time zone 'UTC') + ${duration}) at time zone 'UTC')`

/** SQL twin of `intervalEnd` of #rules/mining: when interval `n` of the session `alias` ends. */
export function intervalEndSql(alias: string, n: string, addSql = add): string {
  return addSql(`${alias}."startTime"`, `${n} * ${durationSql(INTERVAL_MS)}`)
}

/** When the first interval of the session `alias` ends that is not credited yet. */
export function nextIntervalEndSql(alias: string, addSql = add): string {
  return intervalEndSql(alias, `(${alias}."creditedIntervals" + 1)`, addSql)
}
