import { type Logger, pino } from 'pino'

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
    return { type: error.name, message: error.message, ...(code && { code }), stack: error.stack }
  }
  const options = { name, level, serializers: { err } }
  return (destination ? pino(options, destination) : pino(options)) as Logger
}
