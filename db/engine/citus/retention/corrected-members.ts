import { bucketsSql } from '#db/engine/citus/shard-copy'
import type { Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { ledgerIdLike, ledgerIdSql } from '#rules/money/ledger-id'

/** Ids of all corrections: their numbers are counted on the coordinator. */
const IDS_SQL = `
  select ${ledgerIdSql('correction', { number: 'n' })} as id
  from generate_series(1, (select last_value from correction_numbers)) n`

const correctedSql = (range: BucketRange) => `
  select distinct a."userId" from ledger_facts f
  join wallet_activity a on a.bucket = f.bucket and a.id = f.id and a."createdAt" = f."createdAt"
  where ${bucketsSql('f.bucket', range)} and ${bucketsSql('a.bucket', range)} and f.id = any(:ids)
    and f.id like '${ledgerIdLike('correction')}' and f."createdAt" >= :from and a.amount < 0`

/** The members of a shard with a negative correction since `from`, as of `correctedMembers`. */
export async function correctedOfShard(
  tx: Tx,
  range: BucketRange,
  from: string,
): Promise<number[]> {
  const numbers = await tx.raw(IDS_SQL)
  const ids = numbers.rows.map(({ id }: { id: string }) => id)
  const { rows } = await tx.raw(correctedSql(range), { ids, from })
  return rows.map(({ userId }: { userId: number }) => userId)
}
