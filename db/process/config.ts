import { isIP } from 'node:net'

/** Settings that production requires and development generates, as environment variables. */
export interface Secrets {
  /** Signs session cookies. */
  SESSION_KEYS: string
  /** 32 bytes in base64: encrypts mail bodies and documents at rest. */
  DATA_KEY: string
}

/** All settings of a process, read once from its environment and checked (README, Settings). */
export type Config = {
  production: boolean
  host: string
  port: number
  /** Port of the workers' own health and metrics endpoint; 0 for none. */
  workersPort: number
  databaseUrl: string
  redisUrl: string
  /** Put before every key and channel, so that several products share one Redis. */
  redisPrefix: string
  smtpUrl: string | undefined
  mailFrom: string
  /** Exact origins under which browsers reach the product; the first one stands in mails. */
  publicOrigins: string[]
  sessionKeys: string[]
  /** 32 bytes: seals mails and documents at rest and hashes codes. */
  dataKey: Buffer
  trustedProxies: string[]
  /** Speed of product time to set at start; absent, the database keeps its own. */
  clockSpeed: number | undefined
  socketPingIntervalMs: number
  socketPingTimeoutMs: number
  /** Life of a job's lock without renewal; another worker then takes the job over. */
  jobLockMs: number
  logLevel: string
  databasePool: number
  /** Codes an hour for one e-mail address, and for one IP address (rules.md: Codes by e-mail). */
  otpPerEmailHour: number
  otpPerAddressHour: number
  /** Failed sign-ins for one account and address in 15 minutes, and for one address. */
  loginFailuresPerAccount: number
  loginFailuresPerAddress: number
  /** Days after the decision for which an identity document is kept. */
  kycRetentionDays: number
  /** Sockets that one member may have open at one gateway. */
  socketsPerMember: number
  /** Pages that the social tasks link to. */
  taskLinks: Record<string, string>
}

/** The environment is not usable; `problems` says of each setting what to set. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`Settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

type Env = Record<string, string | undefined>

/** An IP address, or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (most < 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

class Reader {
  readonly problems: string[] = []
  constructor(private readonly env: Env) {}

  text(name: string, fallback: string): string {
    return this.env[name]?.trim() || fallback
  }

  required(name: string, hint: string): string {
    const value = this.text(name, '')
    if (!value) this.problems.push(`${name} is missing: ${hint}`)
    return value
  }

  number(name: string, fallback: number, [min, max]: [number, number]): number {
    const text = this.text(name, String(fallback))
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.problems.push(`${name} is "${text}": set a whole number from ${min} to ${max}`)
    return fallback
  }

  list(name: string): string[] {
    return this.text(name, '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  }

  url(name: string, value: string, protocols: string[]): string {
    const fits = URL.canParse(value) && protocols.includes(new URL(value).protocol)
    if (value && !fits) this.problems.push(`${name} is not a ${protocols.join(' or ')}// address`)
    return value
  }
}

/**
 * Reads and checks all settings; secrets have no default (scripts/process/secrets.ts makes them for
 * development).
 * @throws {ConfigError} with every problem at once
 */
export function readConfig(env: Env): Config {
  const read = new Reader(env)
  const production = env.NODE_ENV === 'production'
  const publicOrigins = read.list('PUBLIC_ORIGIN')
  for (const origin of publicOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      read.problems.push(
        `PUBLIC_ORIGIN "${origin}" is not an origin: write it like https://tesp.example`,
      )
    }
  }
  if (production && publicOrigins.length === 0) {
    read.problems.push('PUBLIC_ORIGIN is missing: set the https:// origin that members open')
  }
  const sessionKeys = read.required('SESSION_KEYS', 'set one or more random texts of 32 characters')
    ? read.list('SESSION_KEYS')
    : []
  if (env.SESSION_KEYS?.trim() && sessionKeys.length === 0) {
    read.problems.push('SESSION_KEYS holds no key: set one or more random texts of 32 characters')
  }
  if (sessionKeys.some((key) => key.length < 32)) {
    read.problems.push('SESSION_KEYS holds a key of less than 32 characters: set longer ones')
  }
  const dataKey = Buffer.from(read.required('DATA_KEY', 'set 32 random bytes in base64'), 'base64')
  if (env.DATA_KEY && dataKey.length !== 32) {
    read.problems.push(
      'DATA_KEY is not 32 bytes in base64: make one with `openssl rand -base64 32`',
    )
  }
  const trustedProxies = read.list('TRUSTED_PROXIES')
  for (const proxy of trustedProxies) {
    if (!isNetwork(proxy)) {
      read.problems.push(`TRUSTED_PROXIES "${proxy}" is not an IP address or network (10.0.0.0/8)`)
    }
  }
  const clockSpeed = env.CLOCK_SPEED?.trim() ? read.number('CLOCK_SPEED', 1, [1, 3600]) : undefined
  if (production && clockSpeed !== undefined && clockSpeed !== 1) {
    read.problems.push('CLOCK_SPEED is for demonstrations: leave it out in production')
  }
  const logLevel = read.text('LOG_LEVEL', production ? 'info' : 'warn')
  if (!LOG_LEVELS.includes(logLevel)) {
    read.problems.push(`LOG_LEVEL is "${logLevel}": set one of ${LOG_LEVELS.join(', ')}`)
  }
  const databaseUrl = read.required('DATABASE_URL', 'set postgres://user:password@host:5432/name')
  const redisUrl = read.required('REDIS_URL', 'set redis://host:6379')
  const smtpUrl = read.text('SMTP_URL', '')
  if (production && !smtpUrl) {
    read.problems.push('SMTP_URL is missing: set smtp://user:password@host:587 to send codes')
  }
  const config: Config = {
    production,
    host: read.text('HOST', production ? '0.0.0.0' : '127.0.0.1'),
    port: read.number('PORT', 3000, [0, 65_535]),
    workersPort: read.number('WORKERS_PORT', 0, [0, 65_535]),
    databaseUrl: read.url('DATABASE_URL', databaseUrl, ['postgres:', 'postgresql:']),
    redisUrl: read.url('REDIS_URL', redisUrl, ['redis:', 'rediss:']),
    redisPrefix: read.text('REDIS_PREFIX', 'tesp'),
    smtpUrl: read.url('SMTP_URL', smtpUrl, ['smtp:', 'smtps:']) || undefined,
    mailFrom: read.text('MAIL_FROM', 'TESP Network <no-reply@localhost>'),
    publicOrigins,
    sessionKeys,
    dataKey,
    trustedProxies,
    clockSpeed: production ? 1 : clockSpeed,
    socketPingIntervalMs: read.number('SOCKET_PING_INTERVAL_MS', 10_000, [100, 120_000]),
    socketPingTimeoutMs: read.number('SOCKET_PING_TIMEOUT_MS', 5_000, [100, 120_000]),
    jobLockMs: read.number('JOB_LOCK_MS', 15_000, [1_000, 600_000]),
    logLevel,
    databasePool: read.number('DATABASE_POOL', 10, [2, 200]),
    otpPerEmailHour: read.number('OTP_PER_EMAIL_HOUR', 5, [1, 1_000_000]),
    otpPerAddressHour: read.number('OTP_PER_ADDRESS_HOUR', 300, [1, 1_000_000]),
    loginFailuresPerAccount: read.number('LOGIN_FAILURES_PER_ACCOUNT', 10, [1, 1_000_000]),
    loginFailuresPerAddress: read.number('LOGIN_FAILURES_PER_ADDRESS', 300, [1, 1_000_000]),
    kycRetentionDays: read.number('KYC_RETENTION_DAYS', 30, [0, 36_500]),
    socketsPerMember: read.number('SOCKETS_PER_MEMBER', 3_000, [1, 1_000_000]),
    taskLinks: {
      follow_twitter: read.url(
        'TASK_TWITTER_URL',
        read.text('TASK_TWITTER_URL', 'https://twitter.com/'),
        ['https:', 'http:'],
      ),
      join_telegram: read.url(
        'TASK_TELEGRAM_URL',
        read.text('TASK_TELEGRAM_URL', 'https://telegram.org/'),
        ['https:', 'http:'],
      ),
    },
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}
