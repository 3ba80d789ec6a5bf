import { ACTIVITY_MAX, AS_OF_HEADER, NEXT_CURSOR_HEADER } from '#contract/routes'
import { type ActivityCursor, parseCursor, readActivity } from '#db/mining/activity'
import { creditsOfRow } from '#db/mining/credit-detail'
import { sumOlderRows } from '#db/wallet/older-sums'
import { BadInput } from '#gateway/http/errors'
import { signedIn } from '#gateway/http/route'
import { polled, walletEtag } from '#gateway/not-modified/etag'

/** Balances and the ledger that explains them. */

export const wallet = polled('/api/wallet', (snapshot) => snapshot.wallet, walletEtag)

/**
 * The position that a query names; undefined without one.
 * @throws {BadInput} for a text that no page ended with
 */
function cursorOf(before: string | undefined): ActivityCursor | undefined {
  const cursor = before === undefined ? undefined : parseCursor(before)
  if (before !== undefined && !cursor) throw new BadInput('The cursor is not valid')
  return cursor
}

export const activity = signedIn<'GET /api/wallet/activity'>(async (call) => {
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
export const olderSums = signedIn<'GET /api/wallet/activity/sums'>(async (call) => {
  const { services, memberId, query } = call
  const [before, since] = [cursorOf(query.before), timeOf(query.since)]
  if (!before || !since) throw new BadInput('Send a cursor and a time')
  return sumOlderRows(services.db, memberId, before, since)
})

/** The automatic credits that a row of the activity stands for; empty for any other row. */
export const credits = signedIn<'GET /api/wallet/credits'>(({ services, memberId, query }) =>
  creditsOfRow(services.db, memberId, query.id ?? ''),
)
