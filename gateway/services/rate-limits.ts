import { isIPv6 } from 'node:net'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#db/process/config'
import { RuleError } from '#rules/rule-error'

type Limit = { points: number; seconds: number }

/**
 * Every limit of the gateway in one table. The end of a name says whose uses are counted together:
 * an IP address's (`placeOf`), a member's, or those that try one account from one place. A browser in
 * which the member signed in before is counted apart, so nobody locks another out of their account.
 */
export function limitTable(config: Config) {
  return {
    'login-account': { points: config.loginFailuresPerAccount, seconds: 900 },
    'login-address': { points: config.loginFailuresPerAddress, seconds: 900 },
    'password-member': { points: config.loginFailuresPerAccount, seconds: 900 },
    'otp-address': { points: config.otpPerAddressHour, seconds: 3600 },
    'otp-tries-address': { points: config.otpPerAddressHour * 5, seconds: 3600 },
    'register-address': { points: config.otpPerAddressHour * 2, seconds: 3600 },
    'check-address': { points: 600, seconds: 60 },
    'command-member': { points: 600, seconds: 30 },
    'upload-member': { points: 20, seconds: 3600 },
    'export-member': { points: 10, seconds: 3600 },
    'socket-member': { points: config.socketsPerMember * 4, seconds: 60 },
  } satisfies Record<string, Limit>
}

/** What counts as one address: an IPv6 network of 64 bits belongs to one customer. */
export function ipBucket(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...rest]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export type LimitName = keyof ReturnType<typeof limitTable>

/** Counts over all gateways in Redis; each gateway for itself while Redis is away. */
export class RateLimits {
  private readonly limiters: Record<LimitName, RateLimiterRedis>

  constructor(redis: Redis, config: Config) {
    const make = ([name, { points, seconds }]: [string, Limit]) => {
      const keyPrefix = `${config.redisPrefix}:limit:${name}`
      const options = { points, duration: seconds, keyPrefix }
      const insuranceLimiter = new RateLimiterMemory(options)
      return [name, new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter })]
    }
    this.limiters = Object.fromEntries(Object.entries(limitTable(config)).map(make))
  }

  /**
   * Counts one use.
   * @throws {RuleError} `too_many_requests` with the time to wait
   */
  async use(name: LimitName, key: string): Promise<void> {
    try {
      await this.limiters[name].consume(key)
    } catch (error) {
      throw refusal(error)
    }
  }

  /**
   * Looks without counting.
   * @throws {RuleError} `too_many_requests` with the time to wait
   */
  async check(name: LimitName, key: string): Promise<void> {
    const limiter = this.limiters[name]
    const used = await limiter.get(key)
    if (used && used.consumedPoints >= limiter.points) throw refusal(used)
  }

  /** Forgets what was counted. */
  async forget(name: LimitName, key: string): Promise<void> {
    await this.limiters[name].delete(key)
  }
}

function refusal(error: unknown): unknown {
  if (!(error instanceof RateLimiterRes)) return error
  const message = 'Too many requests. Please try again later'
  return new RuleError('too_many_requests', message, error.msBeforeNext)
}
