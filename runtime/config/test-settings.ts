import { onOff, text, wholeNumber } from './parsers.ts'
import type { SettingTable } from './settings.ts'

const count = wholeNumber(1, 1_000_000)
const milliseconds = wholeNumber(100, 120_000)

/** Constants of the product that tests change: production refuses any other value than the default. */
export const TEST_SETTINGS = {
  JOB_LOCK_MS: {
    parse: wholeNumber(1_000, 600_000),
    default: '15000',
    doc: 'Milliseconds after which other workers take over the job of a frozen or killed one.',
  },
  TELEGRAM_API_ROOT: {
    parse: text,
    default: 'https://api.telegram.org',
    doc: 'Server of the Telegram Bot API.',
  },
  HEADERS_TIMEOUT_MS: {
    parse: milliseconds,
    default: '10000',
    doc: 'Milliseconds within which a client must send the headers of a request.',
  },
  REQUEST_TIMEOUT_MS: {
    parse: milliseconds,
    default: '15000',
    doc: 'Milliseconds within which a client must send a whole request.',
  },
  SOCKET_PING_INTERVAL_MS: {
    parse: milliseconds,
    default: '10000',
    doc: 'Milliseconds between two heartbeats of a socket.',
  },
  SOCKET_PING_TIMEOUT_MS: {
    parse: milliseconds,
    default: '5000',
    doc: 'Milliseconds within which a client must answer a heartbeat.',
  },
  SOCKETS_PER_MEMBER: {
    parse: count,
    default: '20',
    doc: 'Sockets that one member may have open at one gateway; one more replaces the oldest.',
  },
  SOCKET_SLOW_READER_MS: {
    parse: milliseconds,
    default: '30000',
    doc: 'Milliseconds for which a push may wait for a client that reads slowly, before its socket is closed.',
  },
  PUSH_PRIVATE_ENDPOINTS: {
    parse: onOff,
    default: 'off',
    doc: '`on` lets push messages go to http URLs and private addresses.',
  },
  FAST_PASSWORDS: {
    parse: onOff,
    default: 'off',
    doc: '`on` makes password hashes cheap and weak.',
  },
  DEV_OUTBOX: {
    parse: onOff,
    default: 'off',
    doc: '`on` serves `/dev/outbox` to programs of this machine; set where the database is the embedded one.',
  },
  OTP_PER_EMAIL_HOUR: { parse: count, default: '5', doc: 'Codes an hour for one e-mail address.' },
  LOGIN_FAILURES_PER_ACCOUNT: {
    parse: count,
    default: '10',
    doc: 'Failed sign-ins in 15 minutes for one account from one IP address.',
  },
  LOGIN_FAILURES_BEFORE_CODE: {
    parse: count,
    default: '20',
    doc: 'Failed sign-ins an hour for one account over all IP addresses, after which unknown browsers need a code by e-mail too.',
  },
} as const satisfies SettingTable
