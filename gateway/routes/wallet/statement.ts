import { productNow } from '#db/postgres/connection/product-clock'
import { readFromReplica } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { type StatementPeriod, writeStatement } from '#db/wallet/statement'
import { signedIn } from '#gateway/http/route'
import { DAY_MS } from '#rules/constants'

/** Days of a statement if the request names no first one. */
const DEFAULT_DAYS = 30

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

async function periodOf(db: Db, query: Partial<StatementPeriod>): Promise<StatementPeriod> {
  const to = query.to ?? dayOf(await productNow(db))
  return { from: query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS), to }
}

/** The ledger of a period as a CSV file. */
export const statement = signedIn<'GET /api/wallet/statement'>(async (call) => {
  const { services, ctx, memberId, query, reply } = call
  await services.limits.use('statement-member', String(memberId))
  const period = await periodOf(services.db, query)
  const chunks = await services.statementSemaphore.run(() =>
    readFromReplica(services, (reader) => writeStatement(reader, memberId, period)),
  )
  const name = `tesp-statement-${period.from}-${period.to}.csv`
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  return reply.stream(chunks, 'text/csv; charset=utf-8')
})
