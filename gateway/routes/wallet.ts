import { ACTIVITY_MAX, AS_OF_HEADER, NEXT_CURSOR_HEADER } from '#contract/routes'
import { readReceipt } from '#db/ledger/seals/receipts'
import { readSeals } from '#db/ledger/seals/seal-chain'
import { productNow } from '#db/postgres/connection/product-clock'
import { readFromReplica } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { type ActivityCursor, parseCursor, readActivity } from '#db/wallet/activity'
import { readEarnings } from '#db/wallet/earnings'
import { sumOlderRows } from '#db/wallet/ledger-sums'
import { creditsOfRow } from '#db/wallet/row-details'
import { type StatementPeriod, writeStatement } from '#db/wallet/statement'
import { BadInput } from '#gateway/http/errors'
import { type RouteHandler, type Routes, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'
import { DAY_MS, EARNINGS_DAYS } from '#rules/constants'

/** Balances and the ledger that explains them. */

const wallet = polled('/api/wallet')

/**
 * The position that a query names; undefined without one.
 * @throws {BadInput} for a text that no page ended with
 */
function cursorOf(before: string | undefined): ActivityCursor | undefined {
  const cursor = before === undefined ? undefined : parseCursor(before)
  if (before !== undefined && !cursor) throw new BadInput('The cursor is not valid')
  return cursor
}

const activity = signedIn<'GET /api/wallet/activity'>(async (call) => {
  const { services, ctx, memberId, query } = call
  const before = cursorOf(query.before)
  const page = await readActivity(services.db, memberId, query.limit ?? ACTIVITY_MAX, before)
  ctx.set(AS_OF_HEADER, String(page.asOf))
  if (page.next) ctx.set(NEXT_CURSOR_HEADER, page.next)
  return page.items
})

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The time that a text names; undefined for another text and before 1970. */
function timeOf(text = ''): Date | undefined {
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN
  return at >= 0 ? new Date(at) : undefined
}

/** What a page of activity leaves out of the day on which it ends. */
const olderSums = signedIn<'GET /api/wallet/activity/sums'>(async (call) => {
  const { services, memberId, query } = call
  const [before, since] = [cursorOf(query.before), timeOf(query.since)]
  if (!before || !since) throw new BadInput('Send a cursor and a time')
  return sumOlderRows(services.db, memberId, before, since)
})

const earnings = signedIn<'GET /api/wallet/earnings'>(({ services, memberId, query }) =>
  readEarnings(services.db, memberId, query.days ?? EARNINGS_DAYS),
)

/** The automatic credits that a row of the activity stands for; empty for any other row. */
const credits = signedIn<'GET /api/wallet/credits'>(({ services, memberId, query }) =>
  creditsOfRow(services.db, memberId, query.id ?? ''),
)

/** What proves the ledger: seals for everybody, receipts for the member whose row it is. */

const roots: RouteHandler<'GET /api/ledger/roots'> = async ({ services, ctx, query }) => {
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  return { seals: await readSeals(services.db, query.after ?? 0, query.day) }
}

const keys: RouteHandler<'GET /api/ledger/keys'> = async ({ services, ctx }) => {
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  return { keys: await services.sealKeys() }
}

const receipt = signedIn<'GET /api/ledger/receipt'>(async ({ services, memberId, query }) => ({
  receipt: (await readReceipt(services.db, memberId, query.id ?? '')) ?? null,
}))

/** Days of a statement if the request names no first one. */
const DEFAULT_DAYS = 30

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

async function periodOf(db: Db, query: Partial<StatementPeriod>): Promise<StatementPeriod> {
  const to = query.to ?? dayOf(await productNow(db))
  return { from: query.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS), to }
}

/** The ledger of a period as a CSV file. */
const statement = signedIn<'GET /api/wallet/statement'>(async (call) => {
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

export const walletRoutes = {
  'GET /api/wallet': {
    tag: 'wallet',
    summary: 'Reads the balances.',
    access: 'member',
    etag: true,
    handle: wallet,
  },
  'GET /api/wallet/activity': {
    tag: 'wallet',
    summary: 'Reads one page of the ledger, newest first.',
    access: 'member',
    handle: activity,
  },
  'GET /api/wallet/activity/sums': {
    tag: 'wallet',
    summary: 'Sums the rows of the ledger behind a cursor, from a time on.',
    access: 'member',
    handle: olderSums,
  },
  'GET /api/wallet/earnings': {
    tag: 'wallet',
    summary: 'Reads what the ledger brought on each of the last UTC days, by source, oldest first.',
    access: 'member',
    handle: earnings,
  },
  'GET /api/wallet/credits': {
    tag: 'wallet',
    summary:
      'Reads the automatic credits that a row of the ledger stands for, newest first; none for any other row.',
    access: 'member',
    handle: credits,
  },
  'GET /api/ledger/receipt': {
    tag: 'wallet',
    summary:
      'Reads a row of the ledger with the proof that the seal of its day contains it; null until then.',
    access: 'member',
    handle: receipt,
  },
  'GET /api/ledger/roots': {
    tag: 'wallet',
    summary:
      'Reads the seals of the ledger in the order of their chain, at most 1,000, or those of one day.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: roots,
  },
  'GET /api/ledger/keys': {
    tag: 'wallet',
    summary:
      'Reads the public keys that sign the seals of the ledger, each with the seals that it signed.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: keys,
  },
  'GET /api/wallet/statement': {
    tag: 'wallet',
    summary: 'Downloads the ledger of a period as CSV, oldest row first.',
    access: 'member',
    errors: ['too_many_requests'],
    handle: statement,
  },
} satisfies Partial<Routes>
