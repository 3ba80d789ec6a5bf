import type { QueryConfig } from 'pg'

/** Statements that Postgres plans; the others change settings, transactions or the schema. */
const IS_PLANNED = /^\s*(select|with|insert|update|delete)\b/i

/** The name of each text, the same on all backends. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `simulation-${names.size}`
  names.set(text, name)
  return name
}

/**
 * The query as a prepared statement, so that a backend parses and plans each text once. A name that the
 * product gave it stays.
 */
export function namedQuery(query: QueryConfig | string): QueryConfig {
  const config = typeof query === 'string' ? { text: query } : query
  if (config.name || !IS_PLANNED.test(config.text)) return config
  return { ...config, name: nameOf(config.text) }
}
