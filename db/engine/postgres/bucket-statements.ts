import type { Knex } from 'knex'
import type {
  Bindings,
  BucketOrRange,
  BucketStatement,
  EngineWords,
  Locked,
} from '#db/engine/engine'
import { type LockStatement, momentOf } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'

/** A sequence is the default of the column `seq`; triggers log all other changes. */
export const WORDS: EngineWords = {
  next: '',
  returned: '',
  column: '',
  absent: '',
  logged: `, logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )`,
}

const texts = new WeakMap<BucketStatement, string>()

/** The statement as it is sent. */
export function textOf(statement: BucketStatement): string {
  const known = texts.get(statement)
  if (known) return known
  const text = statement.sql(WORDS)
  texts.set(statement, text)
  return text
}

export async function runForBucket<Row>(
  db: Db,
  _place: BucketOrRange,
  statement: BucketStatement,
  bindings: Bindings,
): Promise<Row[]> {
  const { rows } = statement.isPlannedAnew
    ? await db.raw(textOf(statement), bindings as Record<string, Knex.RawBinding>)
    : await prepared(db, statement.name, textOf(statement), bindings)
  return rows.map(({ answer }: { answer: Row }) => answer)
}

/** One statement locks the row and reads the clocks. */
export async function readLocked<Row>(
  tx: Tx,
  { name, withClocks }: LockStatement,
  bindings: Bindings,
): Promise<Locked<Row> | undefined> {
  const [row] = (await prepared(tx, name, withClocks, bindings)).rows
  return row && { row, ...momentOf(row) }
}
