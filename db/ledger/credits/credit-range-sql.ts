/** SQL twins of `parseLedgerId` for ids of credits: `credit:71:3` and `credit:71:3-9`. */

/** The session's number as text. */
export const sessionOfSql = (id: string) => `split_part(${id}, ':', 2)`

/** The first interval that a credit's row pays. */
export const firstIntervalSql = (id: string) =>
  `split_part(split_part(${id}, ':', 3), '-', 1)::integer`

/** The last interval that a credit's row pays: the first one if it is not rolled up. */
export const lastIntervalSql = (id: string) =>
  `split_part(split_part(${id}, ':', 3), '-', -1)::integer`

/** SQL twin of `creditCount` for ids of credits. */
export const creditCountSql = (id: string) =>
  `(${lastIntervalSql(id)} - ${firstIntervalSql(id)} + 1)`
