import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#db/config'
import { RuleError } from '#rules/rule-error'

type Limit = { points: number; seconds: number }

/**
 * Every limit of the gateway in one table. The end of a name says whose uses are counted together:
 * an IP address's, a member's, or those that try one account from one place. No key can be filled by
 * somebody else's tries on purpose, so nobody is locked out of their account by another.
 */
function limitTable(config: Config) {
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
    'socket-member': { points: 600, seconds: 60 },
  } satisfies Record<string, Limit>
}

export type LimitName = keyof ReturnType<typeof limitTable>

/** Counts over all gateways in Redis; each gateway for itself while Redis is away. */
export class Limits {
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
