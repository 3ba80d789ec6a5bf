import { addTotalsSql } from '#db/mining/folding/totals-sql'
import type { Tx } from '#db/postgres/statements/transaction'

const IN_BUCKET = 'where shard = :bucket::smallint and id = any(:ids::bigint[])'

/** The fold of sessions of a bucket on Citus: totals and sessions are on its node, rates on the coordinator. */
export async function foldInSteps(tx: Tx, bucket: number, ids: number[]): Promise<void> {
  const sessions = `(select * from mining_sessions ${IN_BUCKET}) gone`
  await tx.raw(addTotalsSql(sessions), { bucket, ids })
  const deleted = await tx.raw(`delete from mining_sessions ${IN_BUCKET}`, { bucket, ids })
  if (deleted.rowCount !== ids.length) throw new Error('sessions to fold were changed meanwhile')
  await tx('mining_rates').whereIn('sessionId', ids).delete()
}
