import { type Logger, pino } from 'pino'
import { requestId } from './request-id.ts'

/** Node tries each address of a host name and then throws an error without a message. */
function messageOf(error: Error): string {
  if (error.message || !(error instanceof AggregateError)) return error.message
  return error.errors.map((each) => (each instanceof Error ? each.message : each)).join('; ')
}

/** The id of the request or job that writes the line. */
function origin(): { requestId?: string } {
  const id = requestId()
  return id === undefined ? {} : { requestId: id }
}

/**
 * The log of a process, one JSON object a line. Of an error only type, message, code and stack are
 * logged: errors of the Postgres, Redis and SMTP drivers carry bound values, i.e. personal data.
 */
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
  const options = { name, level, serializers: { err }, mixin: origin }
  return (destination ? pino(options, destination) : pino(options)) as Logger
}
