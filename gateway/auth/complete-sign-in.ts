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

/**
 * Signs in a member who has shown everything that their account asks for, makes the browser a known
 * one, and mails the member if it was not.
 * @throws {RuleError} `account_frozen`
 */
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

/**
 * Keeps only this browser signed in, and known if it was, after the member's epoch was raised; the
 * sockets of all other sign-ins are closed.
 */
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
