import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort } from '#runtime/config/free-port'
import { ROLE_ENV, ROLE_FLAGS } from '#runtime/process/role-flags'
import { ROOT } from '#runtime/process/root'
import type { BenchServers } from './servers.ts'

/** Keys of the bench's sign-ins; known, because nothing outside of the bench accepts them. */
const SESSION_KEY = 'bench-bench-bench-bench-bench-bench'

export const ORIGIN = 'https://tesp.example'

/** Settings of a production role. Nothing sends mail in a bench: the mail server refuses connections. */
export function productEnv(
  { databaseUrl, redisUrl }: Pick<BenchServers, 'databaseUrl' | 'redisUrl'>,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: ORIGIN,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@tesp.example',
    SESSION_KEYS: SESSION_KEY,
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ...env,
  }
}

export type RoleName = 'gateway' | 'workers'

const PROGRAMS: Record<RoleName | 'npm start', { argv: string[]; ready: string }> = {
  gateway: { argv: [...ROLE_FLAGS.gateway, 'dist/roles/gateway.mjs'], ready: 'gateway is ready' },
  workers: { argv: [...ROLE_FLAGS.workers, 'dist/roles/workers.mjs'], ready: 'workers are ready' },
  'npm start': { argv: ['scripts/run.mjs', 'start'], ready: 'TESP Network is ready' },
}

/** A process of the product, from the bundle that operators run. */
export type RunningRole = {
  url: string
  port: number
  env: Record<string, string>
  pid: number
  /** Milliseconds from the start of the process until it serves. */
  startMs: number
  stop(): Promise<void>
}

/** Starts a role whose bundle is built; its gateway serves the client that is built in `checkout`. */
export async function startRole(
  role: keyof typeof PROGRAMS,
  servers: Pick<BenchServers, 'databaseUrl' | 'redisUrl'>,
  {
    env: settings = {},
    checkout = ROOT,
    flags = [],
  }: { env?: Record<string, string>; checkout?: string; flags?: string[] } = {},
): Promise<RunningRole> {
  const port = Number(settings.PORT ?? (await freePort()))
  const own = { [role === 'workers' ? 'WORKERS_PORT' : 'PORT']: `${port}` }
  const env = productEnv(servers, { ...own, ...settings })
  const cwd = path.resolve(checkout)
  const startedAt = performance.now()
  const { argv, ready } = PROGRAMS[role]
  const child = spawn(process.execPath, [...flags, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, ...ROLE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-8_000)
      if (output.includes(ready)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${role} ended before it was ready:\n${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    env,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
