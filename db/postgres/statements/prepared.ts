import type { QueryResult } from 'pg'
import { type Db, sendStatement } from './transaction.ts'

/** `:name`, but neither a cast (`::`) nor a part of one. */
const BINDING = /(?<!:):(\w+)/g

/** A text as Postgres takes it, and the names of its values `$1`, `$2` … */
type Compiled = { text: string; names: string[] }

/** @param place how the text names its value number n, from 1 */
export function compileBindings(sql: string, place: (n: number) => string): Compiled {
  const names: string[] = []
  const text = sql.replace(BINDING, (_, name: string) => place(names.push(name)))
  return { text, names }
}

/** Texts are constants, so each is compiled once. */
const compiledTexts = new Map<string, Compiled>()

function compile(sql: string): Compiled {
  const compiled = compileBindings(sql, (n) => `$${n}`)
  compiledTexts.set(sql, compiled)
  return compiled
}

/** The values in the order of their names. @throws if one is missing */
export function valuesOf(statement: string, names: string[], bindings: Record<string, unknown>) {
  return names.map((name) => {
    if (bindings[name] === undefined) throw new Error(`${statement}: no value for ${name}`)
    return bindings[name]
  })
}

/**
 * Runs a statement that each connection parses once and plans a few times at most, under this name. For hot
 * statements whose best plan does not depend on their values. One name stands for one text. Plain if the pool was
 * opened without prepared statements. Knex would compile the text again at each call, which costs the gateway more
 * than the driver does. Statements of a transaction that are not awaited run in the order of their calls.
 */
export async function prepared(
  db: Db,
  name: string,
  sql: string,
  bindings: Record<string, unknown>,
): Promise<QueryResult> {
  const { text, names } = compiledTexts.get(sql) ?? compile(sql)
  return sendStatement(db, name, text, valuesOf(name, names, bindings))
}
