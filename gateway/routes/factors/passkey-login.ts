import { memberById, userView } from '#db/members/members'
import { completeSignIn } from '#gateway/auth/complete-sign-in'
import { passkeyRefused } from '#gateway/auth/passkeys/challenges'
import { memberOfSignature, passkeyRequest } from '#gateway/auth/passkeys/passkey-sign-in'
import type { RouteHandler } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'

/**
 * Sign-in with a passkey. It asks for no one-time code: the authenticator is something that the member
 * has, and it has verified its user. It asks for no code by e-mail either, because it cannot be guessed.
 */

export const options: RouteHandler<'POST /api/passkey/options'> = async ({ services, ctx }) => {
  await services.limits.use('passkey-address', ipBucket(clientIp(ctx)))
  return { options: await passkeyRequest(services, ctx) }
}

export const login: RouteHandler<'POST /api/passkey/login'> = async (call) => {
  const { services, ctx, body, now } = call
  await services.limits.use('passkey-address', ipBucket(clientIp(ctx)))
  const memberId = await memberOfSignature(services, ctx, body)
  const member = await memberById(services.db, memberId)
  if (!member) throw passkeyRefused()
  await completeSignIn(services, ctx, member, { remember: body.rememberMe ?? false, now })
  return userView(member)
}
