import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import type { RedisClient } from '#runtime/redis/redis-client'

type Limit = { points: number; seconds: number }

/**
 * docs/security.md says what each counts. The end of a name is what uses are counted for; `known` is a browser
 * with a device cookie, counted separately so that strangers cannot lock members out. `login-tries` and
 * `password-member` also count right passwords, because a hash takes a core some 30 ms; `password-network`
 * bounds them for a customer with many IPv6 networks. `login-total`, `otp-network`, `inviter-address` and
 * `invitation-address` refuse nothing: what follows costs more or says less. `command-day-member` bounds the
 * rows that one claim, export or deletion reads.
 */
export function limitTable(config: Config) {
  return {
    'login-account': { points: config.loginFailuresPerAccount, seconds: 900 },
    'login-tries': { points: config.loginFailuresPerAccount * 6, seconds: 900 },
    'login-member': { points: config.loginFailuresPerAccount * 24, seconds: 3600 },
    'login-address': { points: config.loginFailuresPerAddress, seconds: 900 },
    'login-known-member': { points: config.loginFailuresPerAccount * 10, seconds: 900 },
    'login-total': { points: config.loginFailuresBeforeCode, seconds: 3600 },
    'login-codes-member': { points: 20, seconds: 3600 },
    'login-notices-member': { points: 10, seconds: 3600 },
    'password-network': { points: config.otpPerAddressHour * 10, seconds: 900 },
    'password-sign-in': { points: config.loginFailuresPerAccount, seconds: 900 },
    'password-member': { points: 30, seconds: 3600 },
    'second-factor-member': { points: 10, seconds: 3600 },
    'second-factor-known-member': { points: 20, seconds: 3600 },
    'second-factor-notices-member': { points: 1, seconds: 3600 },
    'passkey-address': { points: config.otpPerAddressHour * 5, seconds: 3600 },
    'passkey-challenge-address': { points: config.otpPerAddressHour * 50, seconds: 3600 },
    'session-network': { points: config.otpPerAddressHour * 300, seconds: 3600 },
    'otp-challenge-address': { points: config.otpPerAddressHour * 4, seconds: 3600 },
    'otp-proof': { points: 1, seconds: 600 },
    'otp-network': { points: config.otpPerAddressHour, seconds: 3600 },
    'otp-device': { points: config.otpPerEmailHour, seconds: 3600 },
    'otp-address': { points: config.otpPerAddressHour, seconds: 3600 },
    'otp-tries-address': { points: config.otpPerAddressHour * 5, seconds: 3600 },
    'register-address': { points: config.otpPerAddressHour * 2, seconds: 3600 },
    'check-address': { points: 600, seconds: 60 },
    'avatar-member': { points: 30, seconds: 3600 },
    'avatar-address': { points: 600, seconds: 60 },
    'inviter-address': { points: 30, seconds: 60 },
    'invitation-address': { points: 60, seconds: 60 },
    'command-member': { points: 600, seconds: 30 },
    'command-day-member': { points: 20_000, seconds: 86_400 },
    'task-code-member': { points: 20, seconds: 3600 },
    'wake-member': { points: 200, seconds: 3600 },
    'telegram-member': { points: 20, seconds: 3600 },
    'upload-member': { points: 20, seconds: 3600 },
    'export-member': { points: 10, seconds: 3600 },
    'statement-member': { points: 60, seconds: 3600 },
    'socket-member': { points: config.socketsPerMember * 4, seconds: 60 },
  } satisfies Record<string, Limit>
}

/** Whose uses count as one IP address: for IPv6 the /64 network, which belongs to one customer. */
export function ipBucket(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::')
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

/** Shared by all gateways through Redis; without Redis each gateway counts in memory. */
export class RateLimits {
  private readonly limiters: Record<LimitName, RateLimiterRedis>

  constructor(redis: RedisClient, config: Config) {
    const make = ([name, { points, seconds }]: [string, Limit]) => {
      const keyPrefix = `${config.redisPrefix}:limit:${name}`
      const options = { points, duration: seconds, keyPrefix }
      const insuranceLimiter = new RateLimiterMemory(options)
      return [name, new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter })]
    }
    this.limiters = Object.fromEntries(Object.entries(limitTable(config)).map(make))
  }

  /** Returns the uses so far, with this one; throws `too_many_requests` with the time to wait. */
  async use(name: LimitName, countedFor: string): Promise<number> {
    try {
      return (await this.limiters[name].consume(countedFor)).consumedPoints
    } catch (error) {
      throw refusal(error)
    }
  }

  /** Counts beyond the limit too. */
  async count(name: LimitName, countedFor: string): Promise<number> {
    return (await this.limiters[name].penalty(countedFor)).consumedPoints
  }

  async used(name: LimitName, countedFor: string): Promise<number> {
    return (await this.limiters[name].get(countedFor))?.consumedPoints ?? 0
  }

  async giveBack(name: LimitName, countedFor: string): Promise<void> {
    const { consumedPoints } = await this.limiters[name].reward(countedFor)
    // The window of the use is over: a count below 0 would be uses for nothing in the next one.
    if (consumedPoints < 0) await this.count(name, countedFor)
  }

  /** Counts one use; false if the limit was used up before. */
  async tryUse(name: LimitName, countedFor: string): Promise<boolean> {
    return (await this.count(name, countedFor)) <= this.limiters[name].points
  }

  async isUsedUp(name: LimitName, countedFor: string): Promise<boolean> {
    return (await this.used(name, countedFor)) >= this.limiters[name].points
  }

  /** Counts no use; throws `too_many_requests` with the time to wait. */
  async check(name: LimitName, countedFor: string): Promise<void> {
    const limiter = this.limiters[name]
    const used = await limiter.get(countedFor)
    if (used && used.consumedPoints >= limiter.points) throw refusal(used)
  }

  async reset(name: LimitName, countedFor: string): Promise<void> {
    await this.limiters[name].delete(countedFor)
  }
}

export const tooManyRequests = (waitMs: number): RuleError =>
  new RuleError('too_many_requests', 'Too many requests. Please try again later', waitMs)

const refusal = (error: unknown): unknown =>
  error instanceof RateLimiterRes ? tooManyRequests(error.msBeforeNext) : error
