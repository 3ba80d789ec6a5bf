import { AlreadyRunningError, embeddedOwner, startEmbedded } from './servers.ts'
import type { Started } from './started.ts'

/** Waits for work and prints its duration, unless it resolves with false (nothing was done). */
export async function report<T>(what: string, work: Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work
  if (result !== false) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`  ${what.padEnd(36)}${seconds.padStart(5)} s`)
  }
  return result
}

/** Only the embedded database's mails may be read in a browser. */
type Urls = { DATABASE_URL?: string; REDIS_URL?: string; DEV_OUTBOX?: 'on' }

const missingIn = (env: NodeJS.ProcessEnv) => ({
  postgres: !env.DATABASE_URL,
  valkey: !env.REDIS_URL,
})

/** @throws {AlreadyRunningError} if another process owns the embedded servers that `env` needs */
export function assertNotRunning(env: NodeJS.ProcessEnv, dataDir: string): void {
  const { postgres, valkey } = missingIn(env)
  const owner = postgres || valkey ? embeddedOwner(dataDir) : undefined
  if (owner !== undefined) throw new AlreadyRunningError(owner, dataDir)
}

/** Stops the program if a server cannot be kept running. */
export async function startMissingServers(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  started: Started,
): Promise<Urls> {
  const wanted = missingIn(env)
  if (!wanted.postgres && !wanted.valkey) return {}
  const servers = startEmbedded({
    dataDir,
    durable: true,
    wanted,
    log: (line) => started.isStopping || console.log(`  ${line}`),
    failed: (error) => {
      console.error(`An embedded server cannot be kept running: ${error.message}`)
      void started.stop(1)
    },
  })
  const starting = started.add(servers, (running) => running.stop())
  const { databaseUrl, redisUrl } = await report('database and queue are running', starting)
  return {
    ...(wanted.postgres && { DATABASE_URL: databaseUrl, DEV_OUTBOX: 'on' as const }),
    ...(wanted.valkey && { REDIS_URL: redisUrl }),
  }
}
