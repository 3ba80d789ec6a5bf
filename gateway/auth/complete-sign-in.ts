import type Koa from 'koa'
import type { MemberRow } from '#db/members/members'
import type { EpochOwner } from '#db/members/password'
import { clientIp } from '#gateway/security/client-ip'
import type { Services } from '#gateway/services/services'
import {
  assertNotFrozen,
  renewSignIn,
  requestSignInName,
  type SignInOptions,
  signIn,
} from './auth-session.ts'
import { readDeviceCookie, renewDeviceCookie, setDeviceCookie } from './device-cookie.ts'
import { notifyNewBrowser } from './security-notices.ts'

/** For a member who has passed every factor: mails them if the browser was not known; throws `account_frozen`. */
export async function completeSignIn(
  services: Services,
  ctx: Koa.Context,
  member: MemberRow,
  options: SignInOptions,
): Promise<void> {
  assertNotFrozen(member)
  const isKnown = readDeviceCookie(services, ctx, member) !== undefined
  // The mail comes first: no sign-in from a new browser without it.
  if (!isKnown) await notifyNewBrowser(services, ctx, member, options.now)
  await signIn(services, ctx, member, options)
  setDeviceCookie(services, ctx, member)
  services.log.info({ ip: clientIp(ctx), memberId: member.id }, 'signed in')
}

/** After the member's epoch was raised: keeps this browser signed in, and closes the sockets of all others. */
export async function keepOnlyThisSignIn(
  services: Services,
  ctx: Koa.Context,
  member: EpochOwner,
  { reason, now }: { reason: 'password-reset' | 'ended'; now: number },
): Promise<void> {
  renewDeviceCookie(services, ctx, member)
  try {
    await renewSignIn(ctx, member, now)
  } finally {
    // The others have ended, whether this one could be renewed or not.
    const exceptSignInName = requestSignInName(ctx) ?? ''
    const { id: memberId } = member
    await services.changes.publish({ kind: 'signed-out', reason, memberId, exceptSignInName })
  }
}
