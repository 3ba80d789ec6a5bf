import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

const PROBE_MS = 250
/** A server that answered somebody so recently is slow, not silent. */
const SLOW_MS = 1_000
/** A silent server may be asked these: by the probe, and by a new connection before it is ready. */
const PROBE_COMMANDS = new Set(['ping', 'hello', 'auth', 'client', 'select', 'info', 'readonly'])

type Sent = Parameters<Redis['sendCommand']>

function isSilence(error: unknown): boolean {
  return error instanceof Error && /Command timed out|max retries per request/.test(error.message)
}

/**
 * Redis that says promptly that it is away. A request may need several commands one after another,
 * and would wait for each: once one was not answered in its time, the others fail at once, until a
 * probe is answered or a new connection is ready.
 */
export class FailFastRedis extends Redis {
  private silent = false
  private answeredAt = Number.NEGATIVE_INFINITY

  override sendCommand(...[command, stream]: Sent): unknown {
    if (this.silent && !PROBE_COMMANDS.has(command.name)) {
      command.reject(new Error('Command timed out'))
      return command.promise
    }
    const sent = super.sendCommand(command, stream)
    command.promise.then(
      () => {
        this.answeredAt = performance.now()
      },
      (error) => {
        const isSlow = performance.now() - this.answeredAt < SLOW_MS
        if (isSilence(error) && !isSlow && !this.silent) void this.fallSilent()
      },
    )
    return sent
  }

  private async fallSilent(): Promise<void> {
    this.silent = true
    this.once('ready', this.speakAgain)
    while (this.silent && this.status !== 'end') {
      await this.ping().then(this.speakAgain, () => {})
      if (this.silent) await sleep(PROBE_MS, undefined, { ref: false })
    }
  }

  private readonly speakAgain = () => {
    this.silent = false
    this.off('ready', this.speakAgain)
  }
}
