import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import { browserId } from '#gateway/auth/auth-sessions/auth-session'
import { requestSignInName } from '#gateway/auth/auth-sessions/session-store'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { PASSKEY_CHALLENGE_MS } from '#rules/constants'
import { passkeyRefused } from './passkey-refused.ts'

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
