import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { MemberRow } from '#db/members/members'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket, type LimitName } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { DAY_MS } from '#rules/constants'
import { cookieName } from './session-cookie.ts'

const DEVICE_COOKIE_MS = 180 * DAY_MS

type Count = [limit: LimitName, countedFor: string]
type Account = Pick<MemberRow, 'id' | 'authEpoch'>

/** Device cookie (OWASP, decision 10): grants no access, outlives a logout, ends with a password reset. */
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

export function readDeviceCookie(
  { config }: Services,
  ctx: Koa.Context,
  member: Account | undefined,
): string | undefined {
  const device = ctx.cookies.get(`${cookieName(config)}-known`, { signed: true })
  return member && device?.startsWith(`${member.id}.${member.authEpoch}.`) ? device : undefined
}

/** After the epoch was raised: the nonce stays, so what was counted stays counted. Returns whether it was known. */
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

/** Whom right passwords and passkeys count for: known browsers apart, so a stranger cannot lock the owner out. */
export const signInsOf = (memberId: number, isKnown: boolean) =>
  isKnown ? `known|${memberId}` : String(memberId)

export function forgetDevice({ config }: Services, ctx: Koa.Context, memberId: number): void {
  const name = `${cookieName(config)}-known`
  const device = ctx.cookies.get(name, { signed: true })
  // The cookie may belong to another member who uses this browser.
  if (device?.startsWith(`${memberId}.`)) ctx.cookies.set(name, null, { signed: true })
}

type SignInLimits = {
  /** Limits that refuse further sign-ins when they are used up. */
  counts: [own: Count, ...others: Count[]]
  /** When used up, a sign-in needs a code as well; undefined for a known browser, which never needs one. */
  total: Count | undefined
}

/** What a failed sign-in counts against; an unknown name is counted as an account. */
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
