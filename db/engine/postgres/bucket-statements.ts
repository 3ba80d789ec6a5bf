import type { Knex } from 'knex'
import type { QueryResult } from 'pg'
import { type Engine, type EngineFragments, memoized } from '#db/engine/engine'
import { momentOf } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'

/** A sequence is the default of the column `seq`; triggers log all other changes. */
export const FRAGMENTS: EngineFragments = {
  next: '',
  returned: '',
  column: '',
  absent: '',
  logged: `, logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )`,
}

/** The statement as it is sent. */
export const textOf = memoized(({ sql }) => sql(FRAGMENTS))

export const runForBucket: Engine['runForBucket'] = async (db, _place, statement, bindings) => {
  const { rows }: QueryResult = statement.usesCustomPlan
    ? await db.raw(textOf(statement), bindings as Record<string, Knex.RawBinding>)
    : await prepared(db, statement.name, textOf(statement), bindings)
  return rows.map(({ answer }) => answer)
}

export const readLocked: Engine['readLocked'] = async (tx, { name, withClocks }, bindings) => {
  const [row] = (await prepared(tx, name, withClocks, bindings)).rows
  return row && { row, ...momentOf(row) }
}
