import { Redis } from 'ioredis'
import { ServerProcess } from './child.ts'

export class RedisProcess extends ServerProcess {
  private readonly configuration: string

  /** @param flags such as `--sentinel`; `program` may be another of the same protocol and settings */
  constructor(
    readonly port: number,
    settings: string[],
    private readonly flags: string[] = [],
    program = 'redis-server',
  ) {
    super(program)
    const lines = [`port ${port}`, 'bind 127.0.0.1', 'save ""', `dir ${this.folder}`, ...settings]
    this.configuration = this.write('redis.conf', lines.join('\n'))
  }

  async start(): Promise<void> {
    this.launch([this.configuration, ...this.flags])
    await this.ask((redis) => redis.ping())
  }

  /** Asks on a connection that retries until the process answers. */
  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.port, '127.0.0.1', {
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
    })
    redis.on('error', () => {})
    try {
      return await question(redis)
    } finally {
      redis.disconnect()
    }
  }
}
