import path from 'node:path'
import { freePort } from '#runtime/config/free-port'
import { ROLE_ENV, ROLE_FLAGS } from '#runtime/process/role-flags'
import { ROOT } from '#runtime/process/root'
import { roleProcess } from '#scripts/testing/db/role-process'
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

/**
 * Starts a role whose bundle is built; its gateway serves the client that is built in `checkout`.
 * @returns with `startMs`, from the start of the process until it serves
 */
export async function startRole(
  role: Parameters<typeof roleProcess>[0],
  servers: Pick<BenchServers, 'databaseUrl' | 'redisUrl'>,
  {
    env: settings = {},
    checkout = ROOT,
    flags = [],
  }: { env?: Record<string, string>; checkout?: string; flags?: string[] } = {},
) {
  const port = Number(settings.PORT ?? (await freePort()))
  const listens = { [role === 'workers' ? 'WORKERS_PORT' : 'PORT']: `${port}` }
  const env = productEnv(servers, { ...listens, ...settings })
  const startedAt = performance.now()
  const own = role === 'npm start' ? [] : ROLE_FLAGS[role]
  const options = { root: path.resolve(checkout), flags: [...flags, ...own] }
  const { ready, pid, end } = roleProcess(role, { ...ROLE_ENV, ...env }, options)
  await ready
  const startMs = performance.now() - startedAt
  return { url: `http://127.0.0.1:${port}`, port, env, pid, startMs, stop: () => end('SIGTERM') }
}
