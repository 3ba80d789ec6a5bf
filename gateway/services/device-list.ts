import { DAY_MS, MINUTE_MS, REMEMBERED_SIGN_IN_MS } from '#rules/constants'
import type { RedisClient } from '#runtime/redis/redis-client'
import { signInsKey } from '#runtime/redis/sign-in-networks'
import type { AuthSessionStore } from './auth-session-store.ts'
import { KeyedThrottle } from './keyed-throttle.ts'

/** Precision of "last seen": each gateway writes it at most once in this time. */
const SEEN_MS = 5 * MINUTE_MS
/** One more sign-in ends the oldest. */
export const MAX_SIGN_INS = 100

/** The device and the network of a request, in plain words. */
export type Place = { device: string; network: string }
/** The last recorded request of a sign-in; `at` is real time, ms. */
type Seen = Place & { at: number }
export type ListedSignIn = Seen & { name: string; signedInAt: number }

/** A hash in Redis for each member. The session decides whether a sign-in exists, so nothing here can restore one. */
export class DeviceList {
  private readonly records = new KeyedThrottle(SEEN_MS)

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly authSessions: AuthSessionStore,
  ) {}

  private redisKey(memberId: number): string {
    return signInsKey(this.prefix, memberId)
  }

  /** Most calls write nothing; `place` is called only if something is written. */
  async record(memberId: number, name: string, now: number, place: () => Place): Promise<void> {
    if (!this.records.isDue(name, now)) return
    const redisKey = this.redisKey(memberId)
    const seen: Seen = { ...place(), at: now }
    try {
      await this.redis
        .multi()
        .hset(redisKey, name, JSON.stringify(seen))
        .pexpire(redisKey, REMEMBERED_SIGN_IN_MS)
        .exec()
    } catch (error) {
      // The next request records it.
      this.records.forget(name)
      throw error
    }
  }

  /** Also forgets sign-ins that must have expired: each request postpones the expiry of the whole hash. */
  async limit(memberId: number, epoch: number, now: number): Promise<void> {
    const redisKey = this.redisKey(memberId)
    const entries = Object.entries(await this.redis.hgetall(redisKey))
    const old = entries
      .filter(([, text]) => now - (JSON.parse(text) as Seen).at > REMEMBERED_SIGN_IN_MS)
      .map(([name]) => name)
    if (old.length > 0) await this.redis.hdel(redisKey, ...old)
    if (entries.length - old.length <= MAX_SIGN_INS) return
    const oldest = (await this.read(memberId, epoch, now)).slice(MAX_SIGN_INS)
    await Promise.all(
      oldest.map(({ name }) => this.authSessions.endRemotely(name, 'ended', DAY_MS)),
    )
  }

  /** False if it has ended or belongs to another member. */
  async end(memberId: number, name: string, now: number): Promise<boolean> {
    const data = await this.authSessions.peek(name, now)
    if (data?.memberId !== memberId) return false
    await this.authSessions.endRemotely(name)
    return true
  }

  async forget(memberId: number): Promise<void> {
    const names = await this.redis.hkeys(this.redisKey(memberId))
    // The sessions too: a late request with one would be recorded again.
    await Promise.all(names.map((name) => this.authSessions.endRemotely(name, 'account-deleted')))
    await this.redis.del(this.redisKey(memberId))
  }

  /** Newest first; drops those that have ended. */
  async read(memberId: number, epoch: number, now: number): Promise<ListedSignIn[]> {
    const { listed, ended, over } = await this.peek(memberId, epoch, now)
    if (ended.length > 0) await this.redis.hdel(this.redisKey(memberId), ...ended)
    // Redis would keep them until they expire.
    await Promise.all(over.map((name) => this.authSessions.endRemotely(name, 'ended', DAY_MS)))
    return listed
  }

  /** The same without a write: networks of ended sign-ins are evidence against teams. */
  async peek(memberId: number, epoch: number, now: number) {
    const entries = Object.entries(await this.redis.hgetall(this.redisKey(memberId)))
    const names = entries.map(([name]) => name)
    const found = await this.authSessions.find(names, now)
    const sessions = new Map(names.map((name, at) => [name, found[at]]))
    const epochOf = (name: string) => {
      const data = sessions.get(name)
      return data?.memberId === memberId ? (data.epoch ?? 0) : undefined
    }
    // One of the epoch before may be the one that ended the others, which is being renewed.
    const isOver = (name: string) => (epochOf(name) ?? epoch) < epoch - 1
    const over = names.filter(isOver)
    const ended = names.filter((name) => epochOf(name) === undefined || isOver(name))
    const listed = entries
      .filter(([name]) => epochOf(name) === epoch)
      .map(([name, text]): ListedSignIn => {
        const seen = JSON.parse(text) as Seen
        return { ...seen, name, signedInAt: sessions.get(name)?.signedInAt ?? seen.at }
      })
      .sort((one, other) => other.signedInAt - one.signedInAt)
    return { listed, ended, over }
  }
}
