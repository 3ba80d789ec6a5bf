import { Redis } from 'ioredis'
import { CircuitBreaker, openBreakerError } from './circuit-breaker.ts'

/**
 * Sent even while the breaker is open: by the probe, and by a new connection before it is ready.
 */
const PROBE_COMMANDS = new Set(['ping', 'hello', 'auth', 'client', 'select', 'info', 'readonly'])

type Sent = Parameters<Redis['sendCommand']>

/** A new connection also closes the breaker. */
function breakerOf(redis: Redis): CircuitBreaker {
  const breaker = new CircuitBreaker(() => redis.status === 'end')
  redis.on('ready', () => breaker.close())
  return breaker
}

/** One Redis server, or the master that Sentinels name, behind a circuit breaker. */
export class FailFastRedis extends Redis {
  private readonly breaker = breakerOf(this)

  override sendCommand(...[command, stream]: Sent): unknown {
    if (!this.breaker.isClosed && !PROBE_COMMANDS.has(command.name)) {
      command.reject(openBreakerError())
      return command.promise
    }
    const sent = super.sendCommand(command, stream)
    this.breaker.watch(command.promise, () => this.ping())
    return sent
  }
}
