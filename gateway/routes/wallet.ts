import { periodFault } from '#contract/forms/statement'
import { ACTIVITY_MAX, AS_OF_HEADER, NEXT_CURSOR_HEADER } from '#contract/routes'
import { readReceipt } from '#db/ledger/seals/receipts'
import { readSeals } from '#db/ledger/seals/seal-chain'
import { productNow } from '#db/postgres/connection/product-clock'
import { readFromReplica } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { type ActivityCursor, parseCursor, readActivity, sumOlderRows } from '#db/wallet/activity'
import { readEarnings } from '#db/wallet/earnings'
import { creditsOfRow } from '#db/wallet/row-details'
import { type StatementPeriod, writeStatement } from '#db/wallet/statement'
import { stream } from '#gateway/http/downloads'
import { BadInput } from '#gateway/http/errors'
import { assertConnected, routesOf, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'
import { DAY_MS, EARNINGS_DAYS } from '#rules/constants'
import { dayText } from '#rules/duration-text'

function cursorOf(before: string | undefined): ActivityCursor | undefined {
  const cursor = before === undefined ? undefined : parseCursor(before)
  if (before !== undefined && !cursor) throw new BadInput('The cursor is not valid')
  return cursor
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Undefined for another text and before 1970. */
function timeOf(text = ''): Date | undefined {
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN
  return at >= 0 ? new Date(at) : undefined
}

const DEFAULT_DAYS = 30

/** Throws `BadInput` for a first day alone that is in the future or too long ago. */
async function periodOf(db: Db, query: Partial<StatementPeriod>): Promise<StatementPeriod> {
  const to = query.to ?? dayText(await productNow(db))
  const from = query.from ?? dayText(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS)
  const fault = periodFault(from, to)
  if (fault !== undefined) throw new BadInput(fault, { from: fault })
  return { from, to }
}

export const walletRoutes = routesOf('wallet', {
  'GET /api/wallet': { summary: 'Reads the balances.', etag: true, handle: polled('/api/wallet') },
  'GET /api/wallet/activity': {
    summary: 'Reads one page of the ledger, newest first.',
    handle: signedIn(async ({ services, ctx, memberId, query }) => {
      const before = cursorOf(query.before)
      const page = await readActivity(services.db, memberId, query.limit ?? ACTIVITY_MAX, before)
      ctx.set(AS_OF_HEADER, String(page.asOf))
      if (page.next) ctx.set(NEXT_CURSOR_HEADER, page.next)
      return page.items
    }),
  },
  /** What a page of activity leaves out of the day on which it ends. */
  'GET /api/wallet/activity/sums': {
    summary: 'Sums the rows of the ledger behind a cursor, from a time on.',
    handle: signedIn(async ({ services, memberId, query }) => {
      const [before, since] = [cursorOf(query.before), timeOf(query.since)]
      if (!before || !since) throw new BadInput('Send a cursor and a time')
      return sumOlderRows(services.db, memberId, before, since)
    }),
  },
  'GET /api/wallet/earnings': {
    summary: 'Reads what the ledger brought on each of the last UTC days, by source, oldest first.',
    handle: signedIn(({ services, memberId, query }) =>
      readEarnings(services.db, memberId, query.days ?? EARNINGS_DAYS),
    ),
  },
  'GET /api/wallet/credits': {
    summary:
      'Reads the automatic credits that a row of the ledger stands for, newest first; none for any other row.',
    handle: signedIn(({ services, memberId, query }) =>
      creditsOfRow(services.db, memberId, query.id ?? ''),
    ),
  },
  'GET /api/ledger/receipt': {
    summary:
      'Reads a row of the ledger with the proof that the seal of its day contains it; null until then.',
    handle: signedIn(async ({ services, memberId, query }) => ({
      receipt: (await readReceipt(services.db, memberId, query.id ?? '')) ?? null,
    })),
  },
  'GET /api/ledger/roots': {
    summary:
      'Reads the seals of the ledger in the order of their chain, at most 1,000, or those of one day.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: async ({ services, ctx, query }) => {
      await services.limits.use('check-address', ipBucket(clientIp(ctx)))
      return { seals: await readSeals(services.db, query.after ?? 0, query.day) }
    },
  },
  'GET /api/ledger/keys': {
    summary:
      'Reads the public keys that sign the seals of the ledger, each with the seals that it signed.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: async ({ services, ctx }) => {
      await services.limits.use('check-address', ipBucket(clientIp(ctx)))
      return { keys: await services.sealKeys() }
    },
  },
  'GET /api/wallet/statement': {
    summary: 'Downloads the ledger of a period as CSV, oldest row first.',
    errors: ['too_many_requests'],
    handle: signedIn(async ({ services, ctx, memberId, query }) => {
      await services.limits.use('statement-member', String(memberId))
      const period = await periodOf(services.db, query)
      const chunks = await services.statementSemaphore.run(() => {
        assertConnected(ctx)
        return readFromReplica(services, (reader) => writeStatement(reader, memberId, period))
      })
      return stream(ctx, `tesp-statement-${period.from}-${period.to}.csv`, chunks)
    }),
  },
})
