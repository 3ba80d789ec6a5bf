import { ACTIVITY_MAX, AS_OF_HEADER, NEXT_CURSOR_HEADER } from '#contract/routes'
import { parseCursor, readActivity } from '#db/mining/activity'
import { creditsOfRow } from '#db/mining/credit-detail'
import { BadInput } from '#gateway/http/errors'
import { walletEtag } from '#gateway/http/etag'
import { polled } from '#gateway/http/polled'
import { signedIn } from '#gateway/http/route'

/** Balances and the ledger that explains them. */

export const wallet = polled('/api/wallet', (snapshot) => snapshot.wallet, walletEtag)

export const activity = signedIn<'GET /api/wallet/activity'>(async (call) => {
  const { services, ctx, memberId, query } = call
  const before = query.before === undefined ? undefined : parseCursor(query.before)
  if (query.before !== undefined && !before) throw new BadInput('The cursor is not valid')
  const page = await readActivity(services.db, memberId, query.limit ?? ACTIVITY_MAX, before)
  ctx.set(AS_OF_HEADER, String(page.asOf))
  if (page.next) ctx.set(NEXT_CURSOR_HEADER, page.next)
  return page.items
})

/** The automatic credits that a row of the activity stands for; empty for any other row. */
export const credits = signedIn<'GET /api/wallet/credits'>(({ services, memberId, query }) =>
  creditsOfRow(services.db, memberId, query.id ?? ''),
)
