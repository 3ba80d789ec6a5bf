import { cancelKey } from '#db/ledger/idempotency'
import { lockSignedIn } from '#db/members/member-lock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type RouteHandler, signInOf } from '#gateway/http/route'

/**
 * Cancels a command by its idempotency key: it never takes effect, even if its request is still on
 * its way. Not in the member's mutex, because it must not wait behind the command that it cancels.
 */
export const cancel: RouteHandler<'POST /api/commands/cancel'> = async (call) => {
  const { services, ctx, body } = call
  const signIn = await signInOf(services, ctx)
  const { memberId } = signIn
  await services.limits.use('command-member', String(memberId))
  return inTransaction(services.db, async (tx) => {
    await lockSignedIn(tx, signIn)
    return cancelKey(tx, memberId, body.key)
  })
}
