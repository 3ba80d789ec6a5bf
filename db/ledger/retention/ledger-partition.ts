import { type PartitionDiffers, type Period, periodNamed } from '#db/ledger/partitions'
import { recordStep } from '#db/ledger/steps'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'

/**
 * Partitions that differed within the last day of real time: comparing one again reads all of it, so later ones go on
 * meanwhile. One that differed from its seals is due again once an operator sets "isSealChecked".
 */
const LEFT_OUT_SQL = `
  select r.partition, m."lastStep" as problem from ledger_rollups r join maintenance_steps m
    on m.work = 'roll-up of ' || r.partition
    or (m.work = 'seals of ' || r.partition and not r."isSealChecked")
  where r."swappedAt" is null and m."lastAt" > now() - interval '1 day'
  order by 1`

/** The partitions that are left out, and how they differ. */
export async function leftOut(db: Db): Promise<{ partition: string; problem: string }[]> {
  return (await db.raw(LEFT_OUT_SQL)).rows
}

/** Leaves out a partition whose step has failed, and was rolled back. */
export async function leaveOut(db: Db, error: PartitionDiffers): Promise<void> {
  await recordStep(db, `${error.from} of ${error.partition}`, error.message)
}

/** Partitions that are not rolled up, oldest first. One that is being merged is due as a part of the merged one. */
const OPEN_SQL = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'wallet_activity'::regclass
    and not exists (select from ledger_rollups r
      where r.partition = c.relname and r."swappedAt" is not null)
    and not exists (select from ledger_merges m where starts_with(c.relname, m.month))
    and c.relname not in (select partition from (${LEFT_OUT_SQL}) l)
  order by 1`

/** End of the last sealed day, ms: rows are sealed before they are rolled up. */
async function sealedUntil(db: Db): Promise<number> {
  const { rows } = await db.raw('select (max(day) + 1)::text as day from ledger_seals')
  return rows[0].day === null ? Number.POSITIVE_INFINITY : Date.parse(rows[0].day)
}

/**
 * The oldest partition that ended `detailDays` of product time ago and has credits to roll up. It waits while a sweep
 * has intervals of it to credit, as after an outage of days, and for its seals, once the ledger has any.
 */
export async function partitionToRollUp(db: Db, detailDays: number): Promise<Period | undefined> {
  const { rows } = await db.raw(OPEN_SQL)
  const swept = await db('credit_sweeps').min({ to: 'sweptTo' }).first()
  const age = (await productNow(db)) - detailDays * DAY_MS
  const over = Math.min(age, swept?.to?.getTime() ?? 0, await sealedUntil(db))
  return rows
    .map(({ name }: { name: string }) => periodNamed(name))
    .find((partition?: Period) => partition && Date.parse(partition.to) <= over)
}

/** Name of the table that is filled to replace a partition. */
export const rolledName = ({ name }: Period) => `${name}_rolled`

type RollupStatus = {
  partition: string
  /** Share of the passes that are done, of 2 for each part: written and proved. */
  progress: string
  swappedAt: Date | null
  megabytesBefore: number
  megabytesAfter: number | null
}

/** All roll-ups, oldest partition first. */
export async function rollupStatus(db: Db): Promise<RollupStatus[]> {
  const megabytes = (column: string) => db.raw('round(?? / 1e6, 1)::float8', [column])
  return db('ledger_rollups')
    .orderBy('partition')
    .select('partition', {
      // A merge writes the epoch.
      swappedAt: db.raw(`nullif("swappedAt", 'epoch')`),
      progress: db.raw(
        `case when "swappedAt" is null
           then "rolledPasses" + "verifiedPasses" || ' of ' || 2 * passes else 'done' end`,
      ),
      megabytesBefore: megabytes('bytesBefore'),
      megabytesAfter: megabytes('bytesAfter'),
    })
}
