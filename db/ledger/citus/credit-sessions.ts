import type { Knex } from 'knex'
import type { Counter } from '#db/ledger/network-counters'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { CreditedBatch, CreditStatements } from './credit-statements.ts'

type Values = Record<string, Knex.RawBinding> & Counter

/** The next number in the order of posting. */
const NEXT_SEQ_SQL = `select nextval('wallet_activity_seq') as seq`

/** Counts credits of an hour that had no row when they were made. */
const HOUR_SQL = `
  insert into network_hours (shard, hour, credits)
  values (:counterShard, to_timestamp(:hour::float8), :credits)
  on conflict (shard, hour) do update set credits = network_hours.credits + excluded.credits`

/** Runs `work` in the transaction that `db` is, or in one of its own. */
function inOwnTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction(work)
}

/**
 * Credits the sessions that the statements name, with their ledger rows and counters. All rows have one
 * posting number, taken once their wallets are locked: it orders the rows of a member, and a batch has
 * one row of each.
 * @returns the answer of the statements
 */
export function creditSessions<Answer>(
  db: Db,
  { name, credit, rows }: CreditStatements,
  values: Values,
): Promise<Answer> {
  return inOwnTransaction(db, async (tx) => {
    const send = (part: string, sql: string, bindings: Record<string, Knex.RawBinding>) =>
      name ? prepared(tx, `${name}${part}`, sql, bindings) : tx.raw(sql, bindings)
    const batch: CreditedBatch & Answer = (await send('', credit, values)).rows[0]
    const { credited, creditedAt, newHours } = batch
    if (creditedAt === null) return batch
    const [{ seq }] = (await prepared(tx, 'next-seq', NEXT_SEQ_SQL, {})).rows
    const { rowCount } = await send('-rows', rows, { ...values, seq, creditedAt })
    if (rowCount !== credited) throw new Error(`${rowCount} ledger rows of ${credited} credits`)
    const { counterShard } = values
    for (const hour of newHours ?? []) {
      await prepared(tx, 'count-hour', HOUR_SQL, { counterShard, ...hour })
    }
    return batch
  })
}
