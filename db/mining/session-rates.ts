import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { SessionRate } from '#rules/money/credit-detail'
import type { Money } from '#rules/money/money'

/** The columns of `mining_sessions` that hold the current rate. */
type RatedSession = { id: number; rateSince: Date; hashRate: Money }

/** Stores the rate of a session that ends now, so that its credits can be recomputed (decision 20). */
export async function recordRate(tx: Tx, { id, rateSince, hashRate }: RatedSession): Promise<void> {
  await tx('mining_rates')
    .insert({ sessionId: id, since: rateSince, hashRate })
    // Two changes in one millisecond: the first rate applied for no time.
    .onConflict(['sessionId', 'since'])
    .merge()
}

/** All rates of a session, oldest first; undefined if an earlier one is not known. */
export async function ratesOfSession(
  db: Db,
  { id, rateSince, hashRate }: RatedSession,
): Promise<SessionRate[] | undefined> {
  const earlier: { since: Date; hashRate: string | null }[] = await db('mining_rates')
    .where({ sessionId: id })
    .orderBy('since')
    .select('since', 'hashRate')
  const rates: SessionRate[] = []
  for (const { since, hashRate: rate } of earlier) {
    if (rate === null) return undefined
    rates.push({ since: since.getTime(), rate })
  }
  return [...rates, { since: rateSince.getTime(), rate: hashRate }]
}
