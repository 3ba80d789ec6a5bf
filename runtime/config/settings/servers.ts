import { keyPrefix, onOff, optional, origins, redisUrl, text, url, wholeNumber } from './parsers.ts'
import type { SettingTable } from './setting.ts'

/** The servers that a process uses, and the origins that it serves. */
export const SERVER_SETTINGS = {
  DATABASE_URL: {
    field: 'databaseUrl',
    parse: url('postgres:', 'postgresql:'),
    required: 'always',
    hint: 'set postgres://user:password@host:5432/name',
    development: 'embedded server',
    doc: 'Postgres 15 or newer.',
  },
  DATABASE_DIRECT_URL: {
    field: 'databaseDirectUrl',
    parse: optional(url('postgres:', 'postgresql:')),
    doc: 'The database of `DATABASE_URL` without a pooler, for migrations and `npm run audit`, whose statements take longer than a pooler allows. When unset, `DATABASE_URL` ([scale](scale.md#pgbouncer)).',
  },
  DATABASE_REPLICA_URL: {
    field: 'databaseReplicaUrl',
    parse: optional(url('postgres:', 'postgresql:')),
    doc: 'Streaming replica of `DATABASE_URL` for exports, statements and `npm run audit`; read only once it has all that the primary had committed ([scale](scale.md#a-replica-for-long-reads)).',
  },
  DATABASE_POOL: {
    field: 'databasePool',
    parse: wholeNumber(2, 200),
    default: '10',
    doc: 'Database connections of one process.',
  },
  DATABASE_PREPARED: {
    field: 'databasePrepared',
    parse: onOff,
    default: 'on',
    doc: 'Prepared statements: `off` behind a pooler in transaction mode, such as PgBouncer ([scale](scale.md#pgbouncer)).',
  },
  REDIS_URL: {
    field: 'redisUrl',
    parse: redisUrl,
    required: 'always',
    hint: 'set redis://host:6379',
    development: 'embedded server',
    doc: 'Redis 7 or newer, or Valkey: one server, `redis+sentinel://host:port,host:port/master-name` or `redis+cluster://host:port,host:port` ([scale](scale.md#redis)).',
  },
  REDIS_PREFIX: {
    field: 'redisPrefix',
    parse: keyPrefix,
    default: 'tesp',
    doc: 'Prefix of every key and channel, so that several products can share one Redis.',
  },
  PUBLIC_ORIGIN: {
    field: 'publicOrigins',
    parse: origins,
    required: 'production',
    hint: 'set the https:// origin that members open',
    doc: 'Exact origins that members open, separated by commas. Mails name the first, and passkeys belong to its host: under another one members have to add new ones.',
  },
  SMTP_URL: {
    field: 'smtpUrl',
    parse: optional(url('smtp:', 'smtps:')),
    required: 'production',
    hint: 'set smtp://user:password@host:587 to send codes',
    doc: 'Mail server. When unset, development writes mails to the terminal and `/dev/outbox`.',
  },
  MAIL_FROM: {
    field: 'mailFrom',
    parse: text,
    default: 'TESP Network <no-reply@localhost>',
    doc: 'Sender of mails.',
  },
} as const satisfies SettingTable
