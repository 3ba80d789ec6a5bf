import { expect } from 'vitest'
import { withClient } from '#db/postgres/connection/pool'
import type { FreshDatabase } from '#scripts/testing/db/fresh-database'

/**
 * The plans of all statements that `read` sends, or of those that contain `text`. Sequential scans are
 * discouraged, because Postgres prefers them for the few rows of a test.
 */
export async function plansOf(
  { db, url }: Pick<FreshDatabase, 'db' | 'url'>,
  read: () => Promise<unknown>,
  text = '',
): Promise<string[]> {
  const sent: { sql: string; bindings: unknown[] }[] = []
  const listen = (query: { sql: string; bindings: unknown[] }) => {
    if (query.sql.includes(text)) sent.push(query)
  }
  db.on('query', listen)
  await read()
  db.removeListener('query', listen)
  return withClient(url, async (client) => {
    await client.query('set enable_seqscan = off')
    const plans: string[] = []
    for (const { sql, bindings } of sent) {
      const { rows } = await client.query(`explain ${sql}`, bindings)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return plans
  })
}

/** Expects that a plan reads the ledger by the index of one member, in so many partitions at most. */
export function expectMemberIndex(plan: string, partitions: number): void {
  const read = new Set(plan.match(/ on wallet_activity_(?:\d{6,8}|default)\b/g))
  expect(read.size).toBeLessThanOrEqual(partitions)
  expect(plan).not.toContain('Seq Scan')
  expect(plan).toMatch(/Index Cond: \(\(bucket = .*"userId" = /)
}
