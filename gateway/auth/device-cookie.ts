import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { MemberRow } from '#db/members/members'
import { clientIp } from '#gateway/security/address-in'
import { ipBucket, type LimitName } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { DAY_MS } from '#rules/constants'
import { cookieName } from './auth-session.ts'

/** How long a browser stays known after its last sign-in. */
const DEVICE_COOKIE_MS = 180 * DAY_MS

type Count = [limit: LimitName, key: string]
type Account = Pick<MemberRow, 'id' | 'authEpoch'>

/**
 * Marks this browser as one in which the member has signed in: its tries are counted apart from
 * those of strangers, also of strangers behind the same address. It opens nothing, it outlives a
 * logout, and a password reset ends it (OWASP: device cookies).
 */
export function setDeviceCookie({ config }: Services, ctx: Koa.Context, member: Account): void {
  const nonce = randomBytes(16).toString('base64url')
  ctx.cookies.set(`${cookieName(config)}-known`, `${member.id}.${member.authEpoch}.${nonce}`, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: DEVICE_COOKIE_MS,
  })
}

/** The mark of this browser where the member has signed in in it before. */
export function readDeviceCookie(
  { config }: Services,
  ctx: Koa.Context,
  member: Account | undefined,
): string | undefined {
  const mark = ctx.cookies.get(`${cookieName(config)}-known`, { signed: true })
  return member && mark?.startsWith(`${member.id}.${member.authEpoch}.`) ? mark : undefined
}

/**
 * The limits that a sign-in counts against: a known browser's own tries alone, or those of all
 * strangers at this address, for this account and in total.
 */
export function limitsOfSignIn(
  services: Services,
  ctx: Koa.Context,
  member: Account | undefined,
  identifier: string,
): [own: Count, ...others: Count[]] {
  const known = readDeviceCookie(services, ctx, member)
  if (known) return [['login-account', `known|${known}`]]
  const place = ipBucket(clientIp(ctx))
  const account = member?.id ?? identifier
  return [
    ['login-account', `${account}|${place}`],
    ['login-address', place],
  ]
}
