import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { MemberRow } from '#db/members/members'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket, type LimitName } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { DAY_MS } from '#rules/constants'
import { cookieName } from './session-cookie.ts'

/** Lifetime of a device cookie after the last sign-in. */
const DEVICE_COOKIE_MS = 180 * DAY_MS

/** A rate limit and the bucket whose uses it counts. */
type Count = [limit: LimitName, countedFor: string]
type Account = Pick<MemberRow, 'id' | 'authEpoch'>

/**
 * Sets a device cookie (OWASP) after a sign-in: failed sign-ins with it are counted separately from
 * those of strangers, even behind the same IP address. It grants no access, it outlives a logout, and a
 * password reset makes it invalid.
 */
export function setDeviceCookie(
  { config }: Services,
  ctx: Koa.Context,
  member: Account,
  nonce = randomBytes(16).toString('base64url'),
): void {
  ctx.cookies.set(`${cookieName(config)}-known`, `${member.id}.${member.authEpoch}.${nonce}`, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: DEVICE_COOKIE_MS,
  })
}

/** The value of this browser's device cookie if it belongs to that member and is still valid. */
export function readDeviceCookie(
  { config }: Services,
  ctx: Koa.Context,
  member: Account | undefined,
): string | undefined {
  const device = ctx.cookies.get(`${cookieName(config)}-known`, { signed: true })
  return member && device?.startsWith(`${member.id}.${member.authEpoch}.`) ? device : undefined
}

/**
 * Keeps a browser known after the member's epoch was raised; what was counted for it stays counted, so
 * nobody gets new tries by a new epoch.
 * @returns whether it was known
 */
export function renewDeviceCookie(
  services: Services,
  ctx: Koa.Context,
  { id, authEpoch }: Account,
): boolean {
  const device = readDeviceCookie(services, ctx, { id, authEpoch: authEpoch - 1 })
  if (device) setDeviceCookie(services, ctx, { id, authEpoch }, device.split('.')[2])
  return device !== undefined
}

/** Whom the tries of this known browser are counted for, whatever the epoch; undefined if it is not known. */
export function knownDevice(
  services: Services,
  ctx: Koa.Context,
  member: Account | undefined,
): string | undefined {
  const [id, , nonce] = readDeviceCookie(services, ctx, member)?.split('.') ?? []
  return id && `known|${id}|${nonce}`
}

/**
 * Whom right passwords and passkeys are counted for: known browsers apart, so that somebody with the password
 * and no second factor cannot keep the owner out.
 */
export const signInsOf = (memberId: number, isKnown: boolean) =>
  isKnown ? `known|${memberId}` : String(memberId)

/** Removes the device cookie of this browser, whose member has deleted the account. */
export function forgetDevice({ config }: Services, ctx: Koa.Context, memberId: number): void {
  const name = `${cookieName(config)}-known`
  const device = ctx.cookies.get(name, { signed: true })
  // The cookie may belong to another member who uses this browser.
  if (device?.startsWith(`${memberId}.`)) ctx.cookies.set(name, null, { signed: true })
}

/** What a failed sign-in is counted for. */
type SignInLimits = {
  /** Limits that refuse further sign-ins when they are used up. */
  counts: [own: Count, ...others: Count[]]
  /**
   * The account over all IP addresses; when it is used up, a sign-in needs a code as well. Undefined
   * for a browser with a device cookie, which never needs one.
   */
  total: Count | undefined
}

/**
 * The limits that a failed sign-in counts against: with a device cookie that device's own limit and that
 * of all known browsers of the member, otherwise the limits of the account at this IP address, of the IP
 * address in total, and of the account over all IP addresses. An unknown name is counted as an account.
 */
export function limitsOfSignIn(
  services: Services,
  ctx: Koa.Context,
  member: Account | undefined,
  identifier: string,
): SignInLimits {
  const device = readDeviceCookie(services, ctx, member)
  if (member && device) {
    // Each sign-in makes one more known browser, so all of them together have a limit too.
    const ofMember: Count = ['login-known-member', String(member.id)]
    return { counts: [['login-account', `known|${device}`], ofMember], total: undefined }
  }
  const bucket = ipBucket(clientIp(ctx))
  // The prefix keeps a name of digits apart from the id of another member.
  const account = member ? String(member.id) : `name:${identifier}`
  return {
    counts: [
      ['login-account', `${account}|${bucket}`],
      ['login-address', bucket],
    ],
    total: ['login-total', account],
  }
}
