import { bucketsSql } from '#db/engine/citus/shard-copy'
import { parsedRowsSql } from '#db/ledger/retention/source-sql'
import { figuresSql } from '#db/ledger/retention/verify-pass'
import type { Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'

/** A hash for each member of the figures that a roll-up must not change (`figuresSql`). */
export type ShardFigures = Map<number, string>

export async function readFigures(
  tx: Tx,
  table: string,
  range: BucketRange,
): Promise<ShardFigures> {
  const rowsSql = parsedRowsSql(table, bucketsSql('d.bucket', range))
  const { rows }: { rows: { userId: number; hash: string }[] } = await tx.raw(
    `select "userId", sum(hashtextextended(f::text, 0))::text as hash
     from (${figuresSql(rowsSql)}) f group by bucket, "userId"`,
  )
  return new Map(rows.map(({ userId, hash }) => [userId, hash]))
}

/** The first member whose figures differ. */
export function differingMember(before: ShardFigures, after: ShardFigures): number | undefined {
  const members = new Set([...before.keys(), ...after.keys()])
  return [...members].find((userId) => before.get(userId) !== after.get(userId))
}
