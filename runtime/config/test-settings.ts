import { onOff, text, wholeNumber } from './parsers.ts'
import type { Setting } from './settings.ts'

const count = wholeNumber(1, 1_000_000)
const milliseconds = wholeNumber(100, 120_000)

/** Constants of the product that tests change: production refuses any other value than the default. */
export const TEST_SETTINGS = {
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
