import type { EventEmitter } from 'node:events'
import { type Logger, pino } from 'pino'

/** Node tries each address of a host name and then throws an error without a message. */
function messageOf(error: Error): string {
  if (error.message || !(error instanceof AggregateError)) return error.message
  return error.errors.map((each) => (each instanceof Error ? each.message : each)).join('; ')
}

/** A line that cannot be written is lost. pino's own destination would retry it endlessly, so the exit would hang. */
function standardOutput(): NodeJS.WritableStream {
  const { stdout } = process
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
  return stdout
}

const ignore = () => {}

/** Of an error only type, message, code and stack are logged: drivers add bound values, i.e. personal data. */
export function createLog(
  name: string,
  level: string,
  destination?: { write(line: string): void },
) {
  const err = (error: unknown) => {
    if (!(error instanceof Error)) return { message: String(error) }
    const code = 'code' in error ? String(error.code) : undefined
    const message = messageOf(error)
    return { type: error.name, message, ...(code && { code }), stack: error.stack }
  }
  const options = { name, level, serializers: { err } }
  return pino(options, destination ?? standardOutput()) as Logger
}

/** One line for a loss and one for the return, not one for each retry. */
export function logConnection(
  redis: Pick<EventEmitter, 'on'>,
  connection: string,
  log: Pick<Logger, 'warn' | 'info'>,
): void {
  let isLost = false
  redis.on('error', (err: Error) => {
    if (isLost) return
    isLost = true
    log.warn({ err, connection }, 'connection to Redis lost; reconnecting')
  })
  redis.on('ready', () => {
    if (isLost) log.info({ connection }, 'connection to Redis restored')
    isLost = false
  })
}
