import { engineOf } from '#db/engine/engine'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { TRIED_LATER } from './steps.ts'

/** The time that one partition of the ledger holds: its name and its bounds, ISO times. */
export type Period = { name: string; from: string; to: string }

/** The rows of a partition are not those that they should be; it stays, and an operator has to look. */
export class PartitionDiffers extends Error {
  constructor(
    readonly partition: string,
    /** What the rows were compared with. */
    readonly from: 'seals' | 'roll-up',
    message: string,
  ) {
    super(message)
  }
}

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

/** Days ahead of product time for which the ledger has partitions. */
export const PARTITIONS_AHEAD = 7

/** Name of the partition that holds a day's ledger rows: `wallet_activity_20261121`. */
export function partitionName(day: number): string {
  return `wallet_activity_${dayText(day).replaceAll('-', '')}`
}

/** Whether the day has its partition or is in a merged one (#db/ledger/partition-merges). */
async function isCovered(db: Db, day: number): Promise<boolean> {
  const { rows } = await db.raw(
    'select coalesce(bool_or(to_regclass(name) is not null), false) as found from unnest(?::text[]) name',
    [namesOver(partitionName(day))],
  )
  return rows[0].found
}

/** Attaches a partition, which blocks no credits as `create … partition of` does. False if it exists by now. */
async function addPartition(tx: Tx, day: number): Promise<boolean> {
  const name = partitionName(day)
  const bounds = [new Date(day).toISOString(), new Date(day + DAY_MS).toISOString()]
  await tx.raw(`set local lock_timeout = '2s'`)
  await tx.raw(`lock table wallet_activity_default in access exclusive mode`)
  if (await isCovered(tx, day)) return false
  await tx.raw(`create table ?? (like wallet_activity including defaults including constraints)`, [
    name,
  ])
  await tx.raw(
    `with moved as (delete from wallet_activity_default
       where "createdAt" >= ? and "createdAt" < ? returning *)
     insert into ?? select * from moved`,
    [...bounds, name],
  )
  await tx.raw(
    `alter table wallet_activity attach partition ?? for values from ('${bounds[0]}') to ('${bounds[1]}')`,
    [name],
  )
  return true
}

/**
 * Creates the missing partitions from yesterday to `PARTITIONS_AHEAD` days ahead; returns their names. Until then the
 * default partition takes the rows. While a backup or an audit reads the ledger none can be created; a later run can.
 */
export async function ensurePartitions(db: Db): Promise<string[]> {
  const today = Math.floor((await productNow(db)) / DAY_MS) * DAY_MS
  const created: string[] = []
  for (let ahead = -1; ahead <= PARTITIONS_AHEAD; ahead++) {
    const day = today + ahead * DAY_MS
    if (await isCovered(db, day)) continue
    try {
      if (await db.transaction((tx) => addPartition(tx, day))) created.push(partitionName(day))
    } catch (error) {
      // Near its day operators have to see it.
      if (ahead < 2 || !TRIED_LATER.has(sqlState(error) ?? '')) throw error
      break
    }
  }
  await (await engineOf(db)).identifyPartitions(db)
  return created
}

/** Rows in the default partition; above 0, partitions were created too late. */
export async function strayLedgerRows(db: Db): Promise<number> {
  const { rows } = await db.raw('select count(*) as count from wallet_activity_default')
  return rows[0].count
}
