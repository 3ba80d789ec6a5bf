import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ipBucket } from '#gateway/services/rate-limits'

/**
 * Failed sign-ins: `account` of one operator at one address or in one known browser, `address` of all operators at
 * one address, `total` of one operator without known browsers, so that a stranger cannot lock an operator out.
 */
export const TRIES = {
  account: { points: 5, duration: 900 },
  address: { points: 30, duration: 900 },
  total: { points: 20, duration: 3600 },
}

/** `known` is the cookie of a browser that the operator has signed in with. */
export type Try = { name: string; ip: string; known: string | undefined }

/** In memory: the console is one process, and a restart forgets the tries. */
export class SignInTries {
  private readonly account = new RateLimiterMemory(TRIES.account)
  private readonly address = new RateLimiterMemory(TRIES.address)
  private readonly total = new RateLimiterMemory(TRIES.total)

  private accountKey({ name, ip, known }: Try): string {
    return known === undefined ? `${name}|${ipBucket(ip)}` : `known|${known}`
  }

  /** The address first: once it has to wait, it fills the memory with no more names. */
  private countsOf(one: Try): [RateLimiterMemory, string][] {
    const account: [RateLimiterMemory, string] = [this.account, this.accountKey(one)]
    if (one.known !== undefined) return [account]
    return [[this.address, ipBucket(one.ip)], account, [this.total, one.name]]
  }

  /** Counts before anything is verified, so that parallel guesses count, too; false if the try must wait. */
  async take(one: Try): Promise<boolean> {
    try {
      for (const [limiter, key] of this.countsOf(one)) await limiter.consume(key)
      return true
    } catch {
      return false
    }
  }

  /** A right sign-in was no guess. */
  async giveBack(one: Try): Promise<void> {
    await Promise.all(this.countsOf(one).map(([limiter, key]) => limiter.reward(key)))
    await this.account.delete(this.accountKey(one))
  }
}
