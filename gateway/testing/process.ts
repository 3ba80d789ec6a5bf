import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Config } from '#db/config'
import { ROOT } from '#scripts/root'
import { testSecrets } from '#scripts/testing/database'

/** A gateway as operators run it: a process of its own, with the built client. */
export type GatewayProcess = {
  port: number
  ready: Promise<void>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts one at that port, on database and Redis of that configuration. */
export function gatewayProcess(config: Config, port: number): GatewayProcess {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'gateway/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...testSecrets(),
      DATABASE_URL: config.databaseUrl,
      REDIS_URL: config.redisUrl,
      REDIS_PREFIX: config.redisPrefix,
      PORT: String(port),
      LOG_LEVEL: 'info',
      DATABASE_POOL: '4',
    },
  })
  let said = ''
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk
      if (said.includes('gateway is ready')) resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`the gateway ended: ${said}`)))
  })
  ready.catch(() => {})
  const ended = once(child, 'exit')
  return {
    port,
    ready,
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
