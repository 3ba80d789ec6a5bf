import { type Logger, pino } from 'pino'

/**
 * A process's log, one JSON line each. Of an error it keeps what explains it: the libraries of
 * Postgres, Redis and SMTP hang values to their errors that are members' own.
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
