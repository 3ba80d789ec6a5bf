import { once } from 'node:events'
import net from 'node:net'
import { loadConfig } from '#runtime/config/config'
import { OperatorError } from '#runtime/operator-error'
import { readEnvironment } from '#runtime/process/environment'
import { explain as explainError, explainPortError } from '#runtime/process/explain-error'
import { DATA_DIR } from '#runtime/process/root'
import { assertNotRunning } from '#scripts/embedded/missing-servers'
import { AlreadyRunningError } from '#scripts/embedded/servers'
import { Started } from '#scripts/embedded/started'

/** Read before any server runs. */
export type LocalStart = {
  env: NodeJS.ProcessEnv
  host: string
  port: number
  production: boolean
  /** In the order in which it stops. */
  started: Started
}

type LocalCommand = {
  title: string
  /** For when another process uses the embedded servers of this folder. */
  explainRunning: (error: AlreadyRunningError) => string
  start: (local: LocalStart) => Promise<void>
}

/** Explains a failure and stops what has started. */
export async function startLocally({ title, explainRunning, start }: LocalCommand): Promise<void> {
  const env = readEnvironment()
  // Production uses its own servers, so a URL that is missing there stays missing.
  const later = (url: string) => (env.NODE_ENV === 'production' ? '' : url)
  const { host, port, production } = loadConfig({
    ...env,
    DATABASE_URL: env.DATABASE_URL || later('postgres://not/started-yet'),
    REDIS_URL: env.REDIS_URL || later('redis://not-started-yet'),
  })
  const started = new Started()
  function explain(error: unknown): string {
    if (error instanceof AlreadyRunningError) return explainRunning(error)
    if (error instanceof OperatorError) return error.message
    const { syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: string }
    if (syscall === 'listen') return explainPortError(error as NodeJS.ErrnoException, port)
    if (syscall === 'getaddrinfo' && hostname === host)
      return `HOST is ${host}, which is no address of this machine: unset it or set it to 127.0.0.1.`
    const reason = explainError(error)
    return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
  }
  started.stopAtSignals()
  console.log(title)
  try {
    assertNotRunning(env, DATA_DIR)
    await assertPortIsFree(port, host)
    await start({ env, host, port, production, started })
  } catch (error) {
    if (!started.isStopping) console.error(explain(error))
    await started.stop(1)
  }
}

/** Browsers ask `[::1]` first for the `localhost` that is printed, where another program would answer. */
export async function assertPortIsFree(port: number, host: string): Promise<void> {
  if (host === '127.0.0.1' && (await isAnswered(port, '::1'))) {
    throw Object.assign(new Error('in use'), { code: 'EADDRINUSE', syscall: 'listen' })
  }
  const server = net.createServer().listen(port, host)
  await once(server, 'listening')
  await once(server.close(), 'close')
}

function isAnswered(port: number, host: string): Promise<boolean> {
  const socket = net.connect({ port, host, timeout: 500 })
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false))
  }).finally(() => socket.destroy())
}
