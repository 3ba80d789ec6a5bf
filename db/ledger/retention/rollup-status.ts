import type { Db } from '#db/postgres/statements/transaction'

/** The roll-up of one partition, as operators see it. */
export type RollupStatus = {
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
    .select('partition', 'swappedAt', {
      progress: db.raw(
        `case when "swappedAt" is null
           then "rolledPasses" + "verifiedPasses" || ' of ' || 2 * passes else 'done' end`,
      ),
      megabytesBefore: megabytes('bytesBefore'),
      megabytesAfter: megabytes('bytesAfter'),
    })
}
