import {
  botName,
  botToken,
  clockSpeed,
  contact,
  domain,
  encryptionKeys,
  keyPrefix,
  networks,
  oneOf,
  onOff,
  optional,
  origins,
  type Parser,
  redisUrl,
  sender,
  signingKeys,
  signingSeed,
  text,
  url,
  vapidKey,
  wholeNumber,
} from './parsers.ts'

/** An environment variable that becomes a field of `Config`. */
export type Setting = {
  /** Name in `Config`; absent, the variable in camel case: `METRICS_PORT` is `metricsPort`. */
  field?: string
  parse: Parser<unknown>
  /** Text that stands for an unset variable; absent, the parser gets an empty text. */
  default?: string | { development: string; production: string }
  /** Where the variable must be set; absent, nowhere. */
  required?: 'always' | 'production'
  /** What to set, for the message about a missing variable. */
  hint?: string
  /** Stands in docs/settings.md for a value that the npm commands of development set. */
  development?: string
  /** One sentence for operators: meaning and unit. */
  doc?: string
}

const port = wholeNumber(0, 65_535)
const count = wholeNumber(1, 1_000_000)
const days = wholeNumber(1, 36_500)
const milliseconds = wholeNumber(100, 120_000)
const page = url('https:', 'http:')
const postgresUrl = url('postgres:', 'postgresql:')
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** What operators set, in the order of docs/settings.md. */
const OPERATORS_SETTINGS = {
  HOST: {
    parse: text,
    default: { development: '127.0.0.1', production: '0.0.0.0' },
    doc: 'Network interface that the gateway listens on; `0.0.0.0` opens it to the network.',
  },
  PORT: { parse: port, default: '3000', doc: 'Port of the gateway; 0 for any.' },
  METRICS_PORT: {
    parse: port,
    default: '0',
    doc: 'Port for `/metrics`, `/healthz` and `/readyz` of a gateway, which members must not reach; 0 for none.',
  },
  WORKERS_PORT: {
    parse: port,
    default: '0',
    doc: 'Port for `/healthz`, `/readyz` and `/metrics` of a workers process; 0 for none.',
  },
  CONSOLE_PORT: {
    parse: port,
    default: '3100',
    doc: 'Port of the operators’ console (`npm run console`); 0 for any.',
  },
  CONSOLE_ORIGIN: {
    parse: optional(page),
    doc: 'Exact https origin at which operators open the console through a proxy; when unset, `http://127.0.0.1` and its port.',
  },
  CONSOLE_HOST: {
    parse: optional(text),
    doc: 'Network interface that the console listens on. When unset, `127.0.0.1`, or `HOST` if `CONSOLE_ORIGIN` has https.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    field: 'otlpEndpoint',
    parse: optional(url('http:', 'https:')),
    doc: 'URL of an OpenTelemetry collector (OTLP over HTTP) for traces, such as `http://localhost:4318`. When unset, nothing is traced.',
  },
  LOG_LEVEL: {
    parse: oneOf(LOG_LEVELS),
    default: { development: 'warn', production: 'info' },
    doc: `Lowest level that is logged: ${LOG_LEVELS.join(', ')}.`,
  },
  CLOCK_SPEED: {
    parse: clockSpeed,
    default: { development: '', production: '1' },
    doc: 'Speed of product time for demonstrations; production accepts only 1. When unset, the database keeps its speed.',
  },

  DATABASE_URL: {
    parse: postgresUrl,
    required: 'always',
    hint: 'set postgres://user:password@host:5432/name',
    development: 'embedded server',
    doc: 'Postgres 15 or newer.',
  },
  DATABASE_DIRECT_URL: {
    parse: optional(postgresUrl),
    doc: 'The database of `DATABASE_URL` without a pooler, for migrations and `npm run audit` ([scale](scale.md#pgbouncer)). When unset, `DATABASE_URL`.',
  },
  DATABASE_REPLICA_URL: {
    parse: optional(postgresUrl),
    doc: 'Streaming replica of `DATABASE_URL` for exports, statements and `npm run audit` ([scale](scale.md#a-replica-for-long-reads)).',
  },
  DATABASE_POOL: {
    parse: wholeNumber(2, 200),
    default: '10',
    doc: 'Database connections of one process.',
  },
  DATABASE_PREPARED: {
    parse: onOff,
    default: 'on',
    doc: 'Prepared statements: `off` behind poolers in transaction mode, as PgBouncer before 1.24 ([scale](scale.md#pgbouncer)).',
  },
  REDIS_URL: {
    parse: redisUrl,
    required: 'always',
    hint: 'set redis://host:6379',
    development: 'embedded server',
    doc: 'Redis 7 or newer, or Valkey: one server, `redis+sentinel://host:port,host:port/master-name` or `redis+cluster://host:port,host:port` ([scale](scale.md#redis)).',
  },
  REDIS_PREFIX: {
    parse: keyPrefix,
    default: 'tesp',
    doc: 'Prefix of every key and channel, so that several products can share one Redis.',
  },
  PUBLIC_ORIGIN: {
    field: 'publicOrigins',
    parse: origins,
    required: 'production',
    hint: 'set the https:// origin that members open',
    doc: 'Exact origins that members open, separated by commas. Mails name the first, and passkeys belong to its host.',
  },
  SMTP_URL: {
    parse: optional(url('smtp:', 'smtps:')),
    required: 'production',
    hint: 'set smtp://user:password@host:587 to send codes',
    doc: 'Mail server. When unset, development writes mails to the terminal and, with the embedded database, to `/dev/outbox`.',
  },
  MAIL_FROM: {
    parse: sender,
    default: { development: 'TESP Network <no-reply@localhost>', production: '' },
    required: 'production',
    hint: 'set the sender of mails, such as TESP Network <no-reply@tesp.example>',
    doc: 'Sender of mails; production refuses one at localhost.',
  },
  DKIM_SELECTOR: {
    parse: domain,
    default: 'tesp',
    doc: 'Name of the DKIM key: DNS has it at `<selector>._domainkey.<domain of MAIL_FROM>`.',
  },
  DKIM_KEY_FILE: {
    parse: optional(text),
    doc: 'File with the private DKIM key, RSA in PEM, with which workers sign mails, and console and `ops` their test mails, for the domain of `MAIL_FROM`. When unset, the relay signs them ([mail](operations/mail.md)).',
  },
  PROMETHEUS_URL: {
    parse: url('http:', 'https:'),
    default: 'http://127.0.0.1:9090',
    doc: 'Prometheus that `npm run ops -- doctor` asks about metrics and alerts.',
  },
  BACKUP_FOLDER: {
    parse: text,
    default: '/backup/base',
    doc: 'Folder of the base backups, whose newest one `npm run ops -- doctor` looks at ([backup](operations/backup.md)).',
  },

  SESSION_KEYS: {
    parse: signingKeys,
    required: 'always',
    hint: 'set one or more random texts of 32 characters',
    development: 'generated once',
    doc: 'Keys of 32 characters or more that sign cookies, separated by commas; the first signs, the others only verify ([rotation](operations/secrets.md)).',
  },
  DATA_KEY: {
    parse: encryptionKeys,
    required: 'always',
    hint: 'set 32 random bytes in base64',
    development: 'generated once',
    doc: 'Keys of 32 bytes in base64, separated by commas, that encrypt mails and identity documents at rest and hash codes; the first encrypts, the others only decrypt ([rotation](operations/secrets.md)).',
  },
  LEDGER_SEAL_KEY: {
    parse: optional(signingSeed),
    development: 'generated once',
    doc: 'Seed of 32 bytes in base64 of the Ed25519 key that signs the seals of the ledger; only workers need it. When unset, seals are not signed.',
  },
  VAPID_PRIVATE_KEY: {
    parse: optional(vapidKey),
    doc: 'Private key that signs push messages (VAPID), made by `npm run init` or `npx web-push generate-vapid-keys`; `npm start` generates one once. Its public key follows from it. When unset, members can choose reminders by mail only. Another key ends them on all devices.',
  },

  TELEGRAM_BOT_TOKEN: {
    parse: optional(botToken),
    doc: 'Token of a Telegram bot from @BotFather, for tasks that check a membership; the bot is an administrator of their channels and groups. Gateways and workers need it.',
  },
  TELEGRAM_BOT_NAME: {
    parse: optional(botName),
    doc: 'User name of that bot without `@`: members link their account in a chat with it.',
  },

  TRUSTED_PROXIES: {
    parse: networks,
    doc: 'IP addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas.',
  },
  POLL_CACHE_MEMBERS: {
    parse: wholeNumber(0, 10_000_000),
    default: '50000',
    doc: 'Members whose unchanged polls a gateway answers without Postgres, about 0.6 kB each; 0 for none.',
  },

  OTP_PER_ADDRESS_HOUR: {
    parse: count,
    default: '300',
    doc: 'Codes an hour for one IP address. A thirtieth of it, at least 10, costs no proof of work.',
  },
  LOGIN_FAILURES_PER_ADDRESS: {
    parse: count,
    default: '300',
    doc: 'Failed sign-ins in 15 minutes from one IP address.',
  },
  KYC_RETENTION_DAYS: {
    parse: wholeNumber(0, 36_500),
    default: '30',
    doc: 'Days after the decision for which identity documents are kept; 0 deletes them immediately.',
  },
  LEDGER_DETAIL_DAYS: {
    parse: days,
    default: '7',
    doc: 'Days for which each automatic credit has its own ledger row; then those of a session and UTC day are rolled up to one.',
  },
  SESSION_DETAIL_DAYS: {
    parse: days,
    default: '90',
    doc: 'Days for which each ended session has its own row; then it is in the totals of its member. At least 31 more than `LEDGER_DETAIL_DAYS` apply.',
  },
  TASK_TWITTER_URL: {
    parse: page,
    default: 'https://twitter.com/',
    doc: 'Page that the task `follow_twitter` links to, until an operator sets its link.',
  },
  TASK_TELEGRAM_URL: {
    parse: page,
    default: 'https://telegram.org/',
    doc: 'Page that the task `join_telegram` links to, until an operator sets its link.',
  },
  SUPPORT_URL: {
    parse: optional(contact),
    doc: 'Where members get help: a `mailto:` or `https:` URL, linked in the footer, beside a frozen referral code and the identity verification.',
  },
  TERMS_URL: {
    parse: optional(contact),
    doc: 'Terms of use: an `https:` or `mailto:` URL, linked in the footer.',
  },
  PRIVACY_URL: {
    parse: optional(contact),
    doc: 'Privacy notice: an `https:` or `mailto:` URL, linked in the footer.',
  },
} as const satisfies Record<string, Setting & { doc: string }>

/** Constants of the product that tests change: production refuses any other value than the default. */
const TEST_SETTINGS = {
  // Until other workers take over the job of a frozen or killed one.
  JOB_LOCK_MS: { parse: wholeNumber(1_000, 600_000), default: '15000' },
  TELEGRAM_API_ROOT: { parse: text, default: 'https://api.telegram.org' },
  HEADERS_TIMEOUT_MS: { parse: milliseconds, default: '10000' },
  REQUEST_TIMEOUT_MS: { parse: milliseconds, default: '15000' },
  SOCKET_PING_INTERVAL_MS: { parse: milliseconds, default: '10000' },
  SOCKET_PING_TIMEOUT_MS: { parse: milliseconds, default: '5000' },
  // At one gateway; one more replaces the oldest.
  SOCKETS_PER_MEMBER: { parse: count, default: '20' },
  // For which a push may wait for a client that reads slowly, before its socket is closed.
  SOCKET_SLOW_READER_MS: { parse: milliseconds, default: '30000' },
  // Push messages may go to http URLs and private addresses.
  PUSH_PRIVATE_ENDPOINTS: { parse: onOff, default: 'off' },
  FAST_PASSWORDS: { parse: onOff, default: 'off' },
  // Serves `/dev/outbox` to programs of this machine; set where the database is the embedded one.
  DEV_OUTBOX: { parse: onOff, default: 'off' },
  OTP_PER_EMAIL_HOUR: { parse: count, default: '5' },
  // Failed sign-ins in 15 minutes for one account from one IP address.
  LOGIN_FAILURES_PER_ACCOUNT: { parse: count, default: '10' },
  // The same an hour, over all IP addresses; then unknown browsers need a code by e-mail too.
  LOGIN_FAILURES_BEFORE_CODE: { parse: count, default: '20' },
} as const satisfies Record<string, Setting>

/** `readConfig` reads it. docs/settings.md is generated from it, without the settings of tests. */
export const SETTINGS = { ...OPERATORS_SETTINGS, ...TEST_SETTINGS }

export type SettingName = keyof typeof SETTINGS

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>

export type FieldOf<Name extends SettingName> = (typeof SETTINGS)[Name] extends {
  field: infer Field extends string
}
  ? Field
  : CamelCase<Name>

export const fieldOf = (name: string, { field }: Setting): string =>
  field ?? name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

export function defaultOf(setting: Setting, production: boolean): string {
  const { default: both = '' } = setting
  if (typeof both === 'string') return both
  return production ? both.production : both.development
}

export const isForOperators = (name: string) => !Object.hasOwn(TEST_SETTINGS, name)
