import { expect, it } from 'vitest'
import { newPrivateKey, publicKeyOf } from '#runtime/secrets/vapid-keys'
import { ConfigError, NEEDED_BY_COMMANDS, readConfig } from './config.ts'

const env = {
  // biome-ignore lint/security/noSecrets: a password that opens nothing
  DATABASE_URL: 'postgres://tesp:secret@localhost:5432/tesp',
  REDIS_URL: 'redis://localhost:6379',
  SESSION_KEYS: 'k'.repeat(32),
  DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
}
const production = {
  ...env,
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://tesp.example',
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'no-reply@tesp.example',
}

/** The problems of these settings; none when they are usable. */
function problems(change: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...env, ...change })
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

it('development needs only servers and secrets', () => {
  expect(readConfig(env)).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 3000,
    redisPrefix: 'tesp',
    smtpUrl: undefined,
    clockSpeed: undefined,
    publicOrigins: [],
    trustedProxies: [],
    otpPerEmailHour: 5,
    otpPerAddressHour: 300,
    kycRetentionDays: 30,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 15_000,
    logLevel: 'warn',
    taskLinks: {
      follow_twitter: 'https://twitter.com/',
      join_telegram: 'https://telegram.org/',
    },
  })
})

it.each(['SUPPORT_URL', 'TERMS_URL', 'PRIVACY_URL'])('%s is a page or a mailbox', (name) => {
  expect(problems({ [name]: 'https://tesp.example/page' })).toEqual([])
  expect(problems({ [name]: 'mailto:help@tesp.example' })).toEqual([])
  for (const wrong of ['http://tesp.example/', 'javascript:alert(1)', 'help@tesp.example']) {
    expect(problems({ [name]: wrong })).toEqual([`${name} is not a mailto: or https:// URL`])
  }
})

it('a ConfigError lists all problems', () => {
  const wrong = { DATABASE_URL: '', REDIS_URL: 'http://x', DATA_KEY: 'short', PORT: '99999' }
  expect(() => readConfig({ ...env, ...wrong })).toThrow(ConfigError)
  expect(problems(wrong).sort()).toEqual([
    expect.stringContaining('DATABASE_URL is missing'),
    expect.stringContaining('DATA_KEY is not 32 bytes'),
    expect.stringContaining('PORT is "99999": set a whole number from 0 to 65535'),
    expect.stringContaining(
      'REDIS_URL is not a redis://, rediss://, redis+sentinel:// or redis+cluster:// URL',
    ),
  ])
  expect(problems({ DATABASE_URL: undefined, REDIS_URL: undefined })).toHaveLength(2)
})

it('production needs an origin and a mail server', () => {
  const { PUBLIC_ORIGIN: _origin, SMTP_URL: _smtp, ...bare } = production
  expect(() => readConfig(production)).not.toThrow()
  expect(() => readConfig(bare)).toThrow(/PUBLIC_ORIGIN is missing[\s\S]*SMTP_URL is missing/)
})

it('production runs product time at real speed', () => {
  expect(readConfig(production).clockSpeed).toBe(1)
  expect(() => readConfig({ ...production, CLOCK_SPEED: '60' })).toThrow(/CLOCK_SPEED is for/)
  expect(readConfig({ ...env, CLOCK_SPEED: '60' }).clockSpeed).toBe(60)
})

it('production refuses an origin without TLS, except on the same machine', () => {
  const insecure = { ...production, PUBLIC_ORIGIN: 'http://tesp.example' }
  expect(() => readConfig(insecure)).toThrow(/PUBLIC_ORIGIN "http:.* is not https/)
  const local = { ...production, PUBLIC_ORIGIN: 'http://localhost:3000' }
  expect(readConfig(local).publicOrigins).toEqual(['http://localhost:3000'])
})

it.each([
  ['PUBLIC_ORIGIN', 'tesp.example'],
  ['PUBLIC_ORIGIN', 'https://tesp.example/'],
  ['PUBLIC_ORIGIN', 'https://tesp.example,https://x.example/path'],
  ['SESSION_KEYS', 'short'],
  ['SESSION_KEYS', ','],
  ['SESSION_KEYS', `${'k'.repeat(32)},short`],
  ['DATA_KEY', Buffer.alloc(31).toString('base64')],
  ['DATA_KEY', `${Buffer.alloc(32).toString('base64')},short`],
  ['DATA_KEY', ','],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['TRUSTED_PROXIES', '10.0.0.0/x'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['CLOCK_SPEED', '0'],
  ['CLOCK_SPEED', '1.5'],
  ['PORT', '80 80'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_POOL', '1'],
  ['SMTP_URL', 'mail.example'],
  ['DATABASE_URL', 'mysql://localhost/tesp'],
  ['REDIS_URL', 'redis+sentinel://localhost:26379'],
  ['REDIS_URL', 'redis+cluster://localhost:port'],
  ['REDIS_PREFIX', '{tesp}'],
  ['TASK_TWITTER_URL', 'javascript:alert(1)'],
  ['OTP_PER_EMAIL_HOUR', '0'],
  ['KYC_RETENTION_DAYS', '-1'],
  ['KYC_RETENTION_DAYS', '1.5'],
  ['HEADERS_TIMEOUT_MS', '99'],
  ['HEADERS_TIMEOUT_MS', '20000'],
  ['REQUEST_TIMEOUT_MS', '9000'],
])('%s=%s is refused in one sentence that names the setting', (name, value) => {
  expect(problems({ [name]: value })).toEqual([expect.stringContaining(name)])
})

it('a prefix with a colon is refused: "redis clear" of another product would delete its keys', () => {
  expect(problems({ REDIS_PREFIX: 'tesp:staging' })).toEqual([
    'REDIS_PREFIX holds a brace or a colon: leave them out',
  ])
})

it('lists of origins, keys and proxies are separated by commas', () => {
  const config = readConfig({
    ...env,
    PUBLIC_ORIGIN: 'https://tesp.example, https://www.tesp.example',
    SESSION_KEYS: `${'a'.repeat(40)},${'b'.repeat(40)}`,
    DATA_KEY: [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')).join(', '),
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  })
  expect(config.publicOrigins).toEqual(['https://tesp.example', 'https://www.tesp.example'])
  expect(config.sessionKeys).toHaveLength(2)
  expect(config.dataKey).toEqual(Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]))
  expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1'])
})

it('the message of a ConfigError contains no secret', () => {
  const secret = 'do-not-show-this'
  expect(() => readConfig({ ...env, SESSION_KEYS: secret, DATA_KEY: secret })).not.toThrow(secret)
})

it('the private key of push messages brings its public one; without it they are off', () => {
  const privateKey = newPrivateKey()
  expect(readConfig(env).vapidPublicKey).toBeUndefined()
  expect(readConfig({ ...env, VAPID_PRIVATE_KEY: privateKey })).toMatchObject({
    vapidPrivateKey: privateKey,
    vapidPublicKey: publicKeyOf(privateKey),
  })
  const none = ['VAPID_PRIVATE_KEY is not a private key of 32 bytes in base64url']
  const zero = Buffer.alloc(32).toString('base64url')
  for (const key of ['short', zero, publicKeyOf(privateKey)]) {
    expect(problems({ VAPID_PRIVATE_KEY: key })).toEqual(none)
  }
})

it('production sends no push messages to private addresses', () => {
  expect(readConfig({ ...env, PUSH_PRIVATE_ENDPOINTS: 'on' }).pushPrivateEndpoints).toBe(true)
  expect(() => readConfig({ ...production, PUSH_PRIVATE_ENDPOINTS: 'on' })).toThrow(
    /PUSH_PRIVATE_ENDPOINTS is for tests/,
  )
})

it('production hashes passwords at full cost', () => {
  expect(readConfig({ ...env, FAST_PASSWORDS: 'on' }).fastPasswords).toBe(true)
  expect(readConfig(production).fastPasswords).toBe(false)
  expect(() => readConfig({ ...production, FAST_PASSWORDS: 'on' })).toThrow(
    /FAST_PASSWORDS is for tests/,
  )
})

it('commands of operators ask for two settings of production, roles for all', () => {
  const { DATABASE_URL, DATA_KEY } = production
  const two = { NODE_ENV: 'production', DATABASE_URL, DATA_KEY }
  expect(readConfig(two, NEEDED_BY_COMMANDS)).toMatchObject({
    redisUrl: '',
    publicOrigins: [],
    sessionKeys: [],
  })
  expect(() => readConfig({ ...two, DATA_KEY: '' }, NEEDED_BY_COMMANDS)).toThrow(
    /DATA_KEY is missing/,
  )
  expect(() => readConfig(two)).toThrow(
    /REDIS_URL[\s\S]*PUBLIC_ORIGIN[\s\S]*SMTP_URL[\s\S]*MAIL_FROM[\s\S]*SESSION_KEYS/,
  )
})
