import { readSeals } from '#db/ledger/seals/chain'
import { readReceipt } from '#db/ledger/seals/receipts'
import { type RouteHandler, signedIn } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'

/** What proves the ledger: seals for everybody, receipts for the member whose row it is. */

export const roots: RouteHandler<'GET /api/ledger/roots'> = async ({ services, ctx, query }) => {
  await services.limits.use('check-address', ipBucket(clientIp(ctx)))
  return { seals: await readSeals(services.db, query.after ?? 0) }
}

export const receipt = signedIn<'GET /api/ledger/receipt'>(
  async ({ services, memberId, query }) => ({
    receipt: (await readReceipt(services.db, memberId, query.id ?? '')) ?? null,
  }),
)
