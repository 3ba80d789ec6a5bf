import type { Knex } from 'knex'
import type { Credit } from '#db/ledger/credit'
import type { Counter } from '#db/ledger/network-counters'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { CreditStatements } from './credit-statements.ts'

/** A credit, the place of its session, and the hour of the interval's end since 1970. */
type PlacedCredit = Credit & { place: string; hour: number }
type Values = Record<string, Knex.RawBinding> & Counter

/** The next number in the order of posting. */
const NEXT_SEQ_SQL = `select nextval('wallet_activity_seq') as seq`

const HOURS_SQL = `
  insert into network_hours (shard, hour, credits)
  values (:counterShard, to_timestamp(:hour * 3600::float8), :credits)
  on conflict (shard, hour) do update set credits = network_hours.credits + excluded.credits`

/** Counts credits in the hours in which their intervals ended, in the order of all writers. */
async function countHours(tx: Tx, { counterShard }: Counter, credits: PlacedCredit[]) {
  const counts = new Map<number, number>()
  for (const { hour } of credits) counts.set(hour, (counts.get(hour) ?? 0) + 1)
  for (const [hour, count] of [...counts].sort(([a], [b]) => a - b)) {
    await prepared(tx, 'count-hour', HOURS_SQL, { counterShard, hour, credits: count })
  }
}

/** Runs `work` in the transaction that `db` is, or in one of its own. */
function inOwnTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction(work)
}

/**
 * Credits the sessions that the statements name, with their ledger rows and counters. All rows have one
 * posting number, taken once their wallets are locked: it orders the rows of a member, and a batch has
 * one row of each.
 */
export function creditSessions(
  db: Db,
  { name, credit, rows }: CreditStatements,
  values: Values,
): Promise<Credit[]> {
  return inOwnTransaction(db, async (tx) => {
    const send = (part: string, sql: string, bindings: Record<string, Knex.RawBinding>) =>
      name ? prepared(tx, `${name}${part}`, sql, bindings) : tx.raw(sql, bindings)
    const credits: PlacedCredit[] = (await send('', credit, values)).rows
    if (credits.length === 0) return []
    const [{ seq }] = (await prepared(tx, 'next-seq', NEXT_SEQ_SQL, {})).rows
    const creditedAt = credits.map(({ place }) => place)
    const credited = credits.map(({ sessionId }) => sessionId)
    await send('-rows', rows, { ...values, seq, credited, creditedAt })
    await countHours(tx, values, credits)
    return credits
  })
}
