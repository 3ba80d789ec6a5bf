import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import { browserId, requestSignInName } from '#gateway/auth/auth-session'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { PASSKEY_CHALLENGE_MS } from '#rules/constants'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'

/** The library is loaded with the first passkey: its parsers of certificates need memory. */
export const webAuthn = () => import('@simplewebauthn/server')

/**
 * The error of a passkey that cannot be used. It names no reason: an unknown passkey, a wrong signature
 * and an expired challenge get the same answer.
 */
export const passkeyRefused = () =>
  new RuleError('passkey_refused', 'This passkey could not be used. Please try again')

/** Who asks for a passkey: the domain that it belongs to, and the origins that may use it. */
export type RelyingParty = { id: string; origins: string[] }

/**
 * The relying party of the first `PUBLIC_ORIGIN`; further origins can use its passkeys if they are on
 * that domain or below it. Without the setting (development) it is the host of the request's origin,
 * which `sameOriginOnly` has accepted.
 */
export function relyingParty({ publicOrigins }: Config, ctx: Koa.Context): RelyingParty {
  const own = publicOrigins.length > 0 ? publicOrigins : [ctx.get('Origin') || ctx.origin]
  const urls = own.map((origin) => new URL(origin))
  const id = urls[0]?.hostname ?? 'localhost'
  const isOwn = ({ hostname }: URL) => hostname === id || hostname.endsWith(`.${id}`)
  return { id, origins: urls.filter(isOwn).map(({ origin }) => origin) }
}

/** What a challenge is for; a signature of the one is no signature of the other. */
export type ChallengeUse = 'add' | 'add after a code' | 'sign-in'

const CHALLENGE_BYTES = 32

/** Who may answer a challenge: this browser, and for a new passkey only this sign-in of it. */
function ownerOf(ctx: Koa.Context, use: ChallengeUse): string {
  return `${use}:${use === 'sign-in' ? browserId(ctx) : requestSignInName(ctx)}`
}

const redisKey = ({ config }: Services, challenge: string) =>
  `${config.redisPrefix}:challenge:${authSessionName(challenge)}`

/** A new challenge for this browser, valid for five minutes. */
export async function newChallenge(
  services: Services,
  ctx: Koa.Context,
  use: ChallengeUse,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const key = redisKey(services, challenge)
  await services.redis.set(key, ownerOf(ctx, use), 'PX', PASSKEY_CHALLENGE_MS)
  return challenge
}

/** The challenge that the browser signed, as its client data names it. */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return String(challenge)
  } catch {
    throw passkeyRefused()
  }
}

/**
 * Uses the challenge of an answer, which works once: whatever the verification says, it is deleted.
 * @returns the challenge
 * @throws {RuleError} `passkey_refused` for a challenge that was used, has expired, or belongs to
 * another browser
 */
export async function takeChallenge(
  services: Services,
  ctx: Koa.Context,
  use: ChallengeUse,
  clientDataJSON: string,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  const owner = await services.redis.getdel(redisKey(services, challenge))
  if (owner === null || owner !== ownerOf(ctx, use)) throw passkeyRefused()
  return challenge
}
