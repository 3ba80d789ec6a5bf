import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '#runtime/config/free-port'

export type RedisServer = { url: string; pid: number; stop(): Promise<void> }

/** Installed server programs, the preferred one first. */
const PROGRAMS = ['valkey-server', 'redis-server']

/** The installed Redis-compatible server and its version, if there is one. */
export function installedRedis(): { program: string; version: string } | undefined {
  for (const program of PROGRAMS) {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    const version = /v=(\S+)/.exec(stdout ?? '')?.[1]
    if (status === 0 && version) return { program, version: `${program} ${version}` }
  }
  return undefined
}

/** Starts it as docker-compose.yml does, but without snapshots: a fork would disturb a round. */
export async function startRedisServer(program: string): Promise<RedisServer> {
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', save: '', 'maxmemory-policy': 'noeviction' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(program, args, { stdio: 'ignore' })
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null })
  redis.on('error', () => {})
  while ((await redis.ping().catch(() => '')) !== 'PONG') await sleep(20)
  redis.disconnect()
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
