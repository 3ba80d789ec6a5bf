import type Koa from 'koa'
import type { EpochOwner } from '#db/members/password-change'
import type { Services } from '#gateway/services/services'
import { renewSignIn } from './auth-session.ts'
import { setDeviceCookie } from './device-cookie.ts'
import { requestSignInName } from './session-store.ts'

/**
 * Keeps only this browser signed in, and known, after the member's epoch was raised; the sockets of
 * all other sign-ins are closed.
 */
export async function keepOnlyThisSignIn(
  services: Services,
  ctx: Koa.Context,
  member: EpochOwner,
  { reason, now }: { reason: 'password-reset' | 'ended'; now: number },
): Promise<void> {
  await renewSignIn(ctx, member, now)
  setDeviceCookie(services, ctx, member)
  const exceptAuthSessionId = requestSignInName(ctx) ?? ''
  const { id: memberId } = member
  await services.changes.publish({ kind: 'signed-out', reason, memberId, exceptAuthSessionId })
}
