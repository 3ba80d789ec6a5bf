import { networks, wholeNumber } from './parsers.ts'
import type { SettingTable } from './setting.ts'

const count = wholeNumber(1, 1_000_000)
const milliseconds = wholeNumber(100, 120_000)

/** Requests, sockets and polls of clients. */
export const TRAFFIC_SETTINGS = {
  TRUSTED_PROXIES: {
    field: 'trustedProxies',
    parse: networks,
    doc: 'IP addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas.',
  },
  HEADERS_TIMEOUT_MS: {
    field: 'headersTimeoutMs',
    parse: milliseconds,
    default: '10000',
    doc: 'Milliseconds within which a client must send the headers of a request; not more than `REQUEST_TIMEOUT_MS`.',
  },
  REQUEST_TIMEOUT_MS: {
    field: 'requestTimeoutMs',
    parse: milliseconds,
    default: '15000',
    doc: 'Milliseconds within which a client must send a whole request.',
  },
  SOCKET_PING_INTERVAL_MS: {
    field: 'socketPingIntervalMs',
    parse: milliseconds,
    default: '10000',
    doc: 'Milliseconds between two heartbeats of a socket.',
  },
  SOCKET_PING_TIMEOUT_MS: {
    field: 'socketPingTimeoutMs',
    parse: milliseconds,
    default: '5000',
    doc: 'Milliseconds within which a client must answer a heartbeat.',
  },
  SOCKETS_PER_MEMBER: {
    field: 'socketsPerMember',
    parse: count,
    default: '20',
    doc: 'Sockets that one member may have open at one gateway; one more replaces the oldest.',
  },
  SOCKET_SLOW_READER_MS: {
    field: 'socketSlowReaderMs',
    parse: milliseconds,
    default: '30000',
    doc: 'Milliseconds for which a push may wait for a client that reads slowly, before its socket is closed.',
  },
  POLL_CACHE_MEMBERS: {
    field: 'pollCacheMembers',
    parse: wholeNumber(0, 10_000_000),
    default: '50000',
    doc: 'Members whose unchanged polls a gateway answers without Postgres, about 0.6 kB each; 0 for none.',
  },
} as const satisfies SettingTable
