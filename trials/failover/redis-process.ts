import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'

/** Why the suite cannot run here; undefined if it can. */
export function missingRedis(): string | undefined {
  for (const program of ['redis-server', 'redis-cli']) {
    const { status, stdout = '' } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    if (status !== 0) return `${program} is not installed`
    const [, major = '0'] = /(?:v=|redis-cli )(\d+)/.exec(stdout) ?? []
    if (Number(major) < 7) return `${program} is older than version 7`
  }
  return undefined
}

/** One redis-server process with a folder of its own. */
export class RedisProcess {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-redis-'))
  private child: ChildProcess | undefined

  /**
   * @param settings lines of its configuration file
   * @param flags such as `--sentinel`
   */
  constructor(
    readonly port: number,
    settings: string[],
    private readonly flags: string[] = [],
  ) {
    const lines = [`port ${port}`, 'bind 127.0.0.1', 'save ""', `dir ${this.folder}`, ...settings]
    fs.writeFileSync(this.configuration, lines.join('\n'))
  }

  private get configuration(): string {
    return path.join(this.folder, 'redis.conf')
  }

  /** Starts the process and waits until it answers. */
  async start(): Promise<void> {
    this.child = spawn('redis-server', [this.configuration, ...this.flags], { stdio: 'ignore' })
    const redis = this.client()
    try {
      await redis.ping()
    } finally {
      redis.disconnect()
    }
  }

  /** A connection that retries until the process answers; the caller closes it. */
  client(): Redis {
    const redis = new Redis(this.port, '127.0.0.1', {
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
    })
    redis.on('error', () => {})
    return redis
  }

  /** Whether the process was started and has not ended; true for a frozen one. */
  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && !this.child.signalCode
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal)
  }

  /** Kills the process, also a frozen one, and waits for its end. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child || !this.isRunning) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** Kills the process and removes its folder. */
  async remove(): Promise<void> {
    await this.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}
