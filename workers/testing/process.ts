import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from '#scripts/root'
import { testSecrets } from '#scripts/testing/database'

/** The workers as operators run them: a process of their own. */
export type WorkersProcess = {
  ready: Promise<void>
  kill(signal: NodeJS.Signals): void
  /** Code, or the signal that ended it. */
  ended: Promise<number | string>
}

type Place = { url: string; redisUrl: string; redisPrefix: string }

/** Starts one on that database and corner of Redis. */
export function workersProcess({ url, redisUrl, redisPrefix }: Place): WorkersProcess {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'workers/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...testSecrets(),
      DATABASE_URL: url,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: redisPrefix,
      LOG_LEVEL: 'info',
      DATABASE_POOL: '4',
    },
  })
  let said = ''
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk
      if (said.includes('workers are ready')) resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`the workers ended: ${said}`)))
  })
  ready.catch(() => {})
  return {
    ready,
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'exit').then(([code, signal]) => code ?? signal),
  }
}
