import { clockSpeed, oneOf, optional, password, text, url, wholeNumber } from './parsers.ts'
import type { SettingTable } from './setting.ts'

const port = wholeNumber(0, 65_535)
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** How a process listens, logs and keeps time. */
export const PROCESS_SETTINGS = {
  HOST: {
    field: 'host',
    parse: text,
    default: { development: '127.0.0.1', production: '0.0.0.0' },
    doc: 'Network interface that the gateway listens on; `0.0.0.0` opens it to the network.',
  },
  PORT: { field: 'port', parse: port, default: '3000', doc: 'Port of the gateway; 0 for any.' },
  METRICS_PORT: {
    field: 'metricsPort',
    parse: port,
    default: '0',
    doc: 'Port for `/metrics`, `/healthz` and `/readyz` of a gateway, which members must not reach; 0 for none.',
  },
  WORKERS_PORT: {
    field: 'workersPort',
    parse: port,
    default: '0',
    doc: 'Port for `/healthz`, `/readyz` and `/metrics` of a workers process; 0 for none.',
  },
  OPS_PASSWORD: {
    field: 'opsPassword',
    parse: optional(password),
    doc: 'Password of the page `/queues` on `WORKERS_PORT`, at least 16 characters; the user is `ops`. When unset, the page does not exist.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    field: 'otlpEndpoint',
    parse: optional(url('http:', 'https:')),
    doc: 'URL of an OpenTelemetry collector (OTLP over HTTP) for traces, such as `http://localhost:4318`. When unset, nothing is traced.',
  },
  LOG_LEVEL: {
    field: 'logLevel',
    parse: oneOf(LOG_LEVELS),
    default: { development: 'warn', production: 'info' },
    doc: `Lowest level that is logged: ${LOG_LEVELS.join(', ')}.`,
  },
  CLOCK_SPEED: {
    field: 'clockSpeed',
    parse: clockSpeed,
    default: { development: '', production: '1' },
    doc: 'Speed of product time for demonstrations; production accepts only 1. When unset, the database keeps its speed.',
  },
  JOB_LOCK_MS: {
    field: 'jobLockMs',
    parse: wholeNumber(1_000, 600_000),
    default: '15000',
    doc: 'Milliseconds after which other workers take over the job of a frozen or killed one.',
  },
} as const satisfies SettingTable
