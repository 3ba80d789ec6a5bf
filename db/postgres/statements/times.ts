/** A duration in ms as a SQL interval literal, so that SQL takes its durations from the constants. */
export function durationSql(ms: number): string {
  return `interval '${ms} milliseconds'`
}

/** Milliseconds since the epoch, as SQL. */
export const epochMs = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`

/** A row of the database as an answer has it: its times are ISO 8601 texts. */
export const isoTimes = <Answer>(row: object): Answer =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as Answer
