import { hash, randomBytes } from 'node:crypto'
import type { SignedOutReason } from '#contract/events'
import { HOUR_MS, IDLE_SIGN_IN_MS, MINUTE_MS, REMEMBERED_SIGN_IN_MS } from '#rules/constants'
import type { RedisClient } from '#runtime/redis/redis-client'
import { readValues } from '#runtime/redis/redis-client'
import { batchLoader } from './batches.ts'
import { KeyedThrottle } from './keyed-throttle.ts'

export type AuthSessionData = {
  memberId?: number
  /** `users.authEpoch` at sign-in: raising the member's epoch ends this sign-in. */
  epoch?: number
  /** Real time, ms. */
  signedInAt?: number
  /** Absolute end of the sign-in: real time, ms. */
  expiresAt?: number
  /** "Remember me": no idle limit, only the absolute one. */
  remembered?: boolean
  /** Identifies an anonymous browser: only the browser that verified an e-mail may register it. */
  browserId?: string
  secondStep?: SecondStep
}

/** After the right password, until the one-time code; `until` is real time, ms. */
export type SecondStep = { memberId: number; epoch: number; remember: boolean; until: number }

/** Longer than anything that is bound to an anonymous browser: a verified e-mail lives 30 minutes. */
const ANONYMOUS_MS = HOUR_MS

export function newAuthSessionId(): string {
  return randomBytes(32).toString('base64url')
}

/** A hash that names a sign-in in Redis, rooms and changes without exposing its cookie value. */
export function authSessionName(id: string): string {
  return hash('sha256', id, 'base64url')
}

/** koa-session's external store in Redis. `now` is real time in ms. */
export class AuthSessionStore {
  /** At most one write a minute, not one for each request. */
  private readonly postponements = new KeyedThrottle(MINUTE_MS)

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  private redisKey(name: string): string {
    return `${this.prefix}:auth:${name}`
  }

  private endedKey(name: string): string {
    return `${this.prefix}:auth-ended:${name}`
  }

  /** Postpones the idle end. EXPIRE creates no key, so this cannot restore a session that was ended meanwhile. */
  async get(id: string, now: number): Promise<AuthSessionData | undefined> {
    const name = authSessionName(id)
    const data = await this.peek(name, now)
    if (!data || !this.postponements.isDue(name, now)) return data
    // If it fails, the next request tries again.
    const tryAgain = () => this.postponements.forget(name)
    await this.redis.pexpire(this.redisKey(name), lifeOf(data, now)).catch(tryAgain)
    return data
  }

  /** Whether a request to this process postponed the idle end in the last minute. */
  isPostponed(name: string, now: number): boolean {
    return this.postponements.happenedLately(name, now)
  }

  /** Does not postpone the idle end. */
  async peek(name: string, now: number): Promise<AuthSessionData | undefined> {
    return unexpired(await this.redis.get(this.redisKey(name)), now)
  }

  async set(id: string, data: AuthSessionData, now: number): Promise<void> {
    const redisKey = this.redisKey(authSessionName(id))
    await this.redis.set(redisKey, JSON.stringify(data), 'PX', lifeOf(data, now))
  }

  /** A session that was ended meanwhile stays ended. */
  async update(id: string, data: AuthSessionData, now: number): Promise<void> {
    const redisKey = this.redisKey(authSessionName(id))
    await this.redis.set(redisKey, JSON.stringify(data), 'PX', lifeOf(data, now), 'XX')
  }

  async end(name: string): Promise<void> {
    await this.redis.del(this.redisKey(name))
  }

  /** For another device of the member; the browser of the session can ask why for `keptMs`. */
  async endRemotely(
    name: string,
    reason: SignedOutReason = 'ended',
    keptMs = REMEMBERED_SIGN_IN_MS,
  ): Promise<void> {
    await this.redis.set(this.endedKey(name), reason, 'PX', keptMs)
    await this.end(name)
  }

  async reasonOfRemoteEnd(name: string): Promise<SignedOutReason | undefined> {
    const reason = await this.redis.get(this.endedKey(name))
    if (reason === null) return undefined
    return reason === 'account-deleted' ? reason : 'ended'
  }

  /**
   * In the order of the names. Does not postpone the idle ends: a socket is no activity, and a page reads its figures
   * after each handshake.
   */
  async find(names: readonly string[], now: number): Promise<(AuthSessionData | undefined)[]> {
    const keys = names.map((name) => this.redisKey(name))
    return (await readValues(this.redis, keys)).map((text) => unexpired(text, now))
  }
}

function unexpired(text: string | null, now: number): AuthSessionData | undefined {
  const data = text ? (JSON.parse(text) as AuthSessionData) : undefined
  return data?.expiresAt && data.expiresAt <= now ? undefined : data
}

/** An hour for an anonymous browser, otherwise the idle limit, but never beyond the absolute end. */
function lifeOf({ expiresAt, remembered }: AuthSessionData, now: number): number {
  if (!expiresAt) return ANONYMOUS_MS
  const leftMs = Math.max(1, Math.ceil(expiresAt - now))
  return remembered ? leftMs : Math.min(leftMs, IDLE_SIGN_IN_MS)
}

/** Names of one command of Redis: bounds the time for which it delays others. */
const MAX_BATCH = 256

/**
 * One command of Redis for all requests of one turn of the event loop, so that the cost of a poll falls as load
 * rises. Nothing is kept: each sign-in is read after its request arrived, so an ended one is refused at once.
 */
export function sessionBatchLoader(store: Pick<AuthSessionStore, 'find'>) {
  const find = (names: readonly string[]) => store.find(names, Date.now())
  const options = { maxBatch: MAX_BATCH, atOnce: Number.POSITIVE_INFINITY }
  const loader = batchLoader<string, AuthSessionData | undefined>(find, options)
  // In a cluster that has lost a master only the sign-ins of its slots cannot be read.
  return (name: string) => loader.load(name).catch(async () => (await find([name]))[0])
}
