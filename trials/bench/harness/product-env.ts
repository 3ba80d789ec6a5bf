import type { BenchServers } from './servers.ts'

/** Keys of the bench's sign-ins; known, because nothing outside of the bench accepts them. */
const SESSION_KEY = 'bench-bench-bench-bench-bench-bench'

/** The origin that the bench's product serves. */
export const ORIGIN = 'https://tesp.example'

/**
 * Settings of a role in production on the servers of a part. Nothing sends mail in a bench: the mail
 * server is an address that refuses connections.
 */
export function productEnv(
  { databaseUrl, redisUrl }: Pick<BenchServers, 'databaseUrl' | 'redisUrl'>,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: ORIGIN,
    SMTP_URL: 'smtp://127.0.0.1:9',
    SESSION_KEYS: SESSION_KEY,
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ...env,
  }
}
