import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'

/** Logs the loss and the return of a connection to Redis: one line each, not one for each retry. */
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
