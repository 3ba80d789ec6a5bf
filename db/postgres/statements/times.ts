/** A row of the database as an answer has it: its times are ISO 8601 texts. */
export const isoTimes = <Answer>(row: object): Answer =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as Answer
