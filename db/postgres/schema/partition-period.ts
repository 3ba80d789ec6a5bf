import { DAY_MS } from '#rules/constants'

/** The time that one partition of the ledger holds: its name and its bounds, ISO times. */
export type Period = { name: string; from: string; to: string }

/** A day or a month: `wallet_activity_20261121`, `wallet_activity_202611`. */
const NAME = /^wallet_activity_(\d{4})(\d\d)(\d\d)?$/

/** The period of the partition of that name; undefined for the default one. */
export function periodNamed(name: string): Period | undefined {
  const found = NAME.exec(name)
  if (!found) return undefined
  const [year, month, day] = found.slice(1).map(Number)
  const first = Date.UTC(year ?? 0, (month ?? 0) - 1, day || 1)
  const end = day ? first + DAY_MS : Date.UTC(year ?? 0, month ?? 0)
  return { name, from: new Date(first).toISOString(), to: new Date(end).toISOString() }
}

/** The name of the month's partition that a day's is merged into; undefined for other partitions. */
export function monthOf(name: string): string | undefined {
  return NAME.exec(name)?.[3] && name.slice(0, -2)
}

/** Names of the partitions that may hold the rows of a day, the day's first. */
export const namesOver = (day: string) => [day, day.slice(0, -2)]
