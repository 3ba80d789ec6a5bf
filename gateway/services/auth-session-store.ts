import { createHash, randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { IDLE_SIGN_IN_MS, MINUTE_MS, SIGN_IN_MS } from '#rules/constants'

/** What Redis holds of one browser: who is signed in, and the id that codes are bound to. */
export type AuthSessionData = {
  memberId?: number
  /** `users.authEpoch` at sign-in: a raised epoch ends this sign-in. */
  epoch?: number
  /** Real time in ms after which the sign-in is over, whatever happens. */
  expiresAt?: number
  /** "Remember me": it stays although nothing is asked for a while. */
  remembered?: boolean
  /** Names an anonymous browser, so that only the one that verified an address registers it. */
  browserId?: string
}

/** A new cookie value: 256 random bits. */
export function newAuthSessionId(): string {
  return randomBytes(32).toString('base64url')
}

/** Names a sign-in in Redis, rooms and changes without giving its cookie away. */
export function authSessionName(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

/** koa-session's external store on Redis. */
export class AuthSessionStore {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  private key(name: string): string {
    return `${this.prefix}:auth:${name}`
  }

  /**
   * A sign-in's key lives until it would be idle for too long, and a read prolongs it. Prolonging
   * cannot bring back one that was ended meanwhile: EXPIRE makes no key.
   */
  async get(id: string): Promise<AuthSessionData | undefined> {
    const key = this.key(authSessionName(id))
    const [text, leftMs] = await Promise.all([this.redis.get(key), this.redis.pttl(key)])
    const data = text ? (JSON.parse(text) as AuthSessionData) : undefined
    if (!data?.expiresAt) return data
    if (data.expiresAt <= Date.now()) return undefined
    const lifeMs = lifeOf(data)
    if (lifeMs - leftMs > MINUTE_MS) await this.redis.pexpire(key, lifeMs)
    return data
  }

  /** A life of its own where the sign-in says when it ends, a day for an anonymous browser. */
  async set(id: string, data: AuthSessionData): Promise<void> {
    const key = this.key(authSessionName(id))
    await this.redis.set(key, JSON.stringify(data), 'PX', lifeOf(data))
  }

  async destroy(id: string): Promise<void> {
    await this.redis.del(this.key(authSessionName(id)))
  }

  /** Which of these sign-ins (by name) still exist. */
  async existing(names: string[]): Promise<Set<string>> {
    if (names.length === 0) return new Set()
    const values = await this.redis.mget(names.map((name) => this.key(name)))
    return new Set(names.filter((_, index) => values[index] !== null))
  }
}

/** Milliseconds that a browser's data is kept if nothing is asked from now on. */
function lifeOf({ expiresAt, remembered }: AuthSessionData): number {
  if (!expiresAt) return SIGN_IN_MS
  const leftMs = Math.max(1, Math.ceil(expiresAt - Date.now()))
  return remembered ? leftMs : Math.min(leftMs, IDLE_SIGN_IN_MS)
}
