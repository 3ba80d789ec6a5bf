import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '#runtime/config/config'
import type { Secrets } from '#runtime/process/development-secrets'
import { ROOT } from '#runtime/process/root'
import { testSecrets } from './database.ts'

export type Role = 'gateway' | 'workers'

/** A gateway or workers process from its bundle. */
export type RoleProcess = {
  /** Resolves when the role serves; rejects with its output if it exits first. */
  ready: Promise<void>
  /** Process id; 0 if the program could not be started. */
  pid: number
  kill(signal: NodeJS.Signals): void
  /** Exit code, or the signal that ended the process. */
  ended: Promise<number | string>
  /** Sends the signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<void>
  /** The last `OUTPUT_LENGTH` characters of stdout and stderr. */
  output(): string
}

/** A gateway process and the port that it listens on. */
export type GatewayProcess = RoleProcess & { port: number }

type Servers = Pick<Config, 'databaseUrl' | 'redisUrl' | 'redisPrefix'>

/** A process that loses its servers prints some hundred lines a second. */
const OUTPUT_LENGTH = 200_000

const PROGRAMS = {
  gateway: { argv: ['dist/roles/gateway.mjs'], line: 'gateway is ready' },
  workers: { argv: ['dist/roles/workers.mjs'], line: 'workers are ready' },
  'npm start': { argv: ['scripts/run.mjs', 'start'], line: 'TESP Network is ready' },
}

/**
 * Starts a role with exactly this environment, plus PATH and a log level that reports readiness. `buildRoles` of
 * scripts/build must have run.
 * @param root folder of the checkout whose bundle runs; `flags` of Node: those of operators make tests a tenth slower
 */
export function roleProcess(
  role: keyof typeof PROGRAMS,
  env: NodeJS.ProcessEnv,
  { root = ROOT, flags = [] }: { root?: string; flags?: string[] } = {},
): RoleProcess {
  const { argv, line } = PROGRAMS[role]
  // A killed test worker cannot end its roles.
  const withParent = path.join(ROOT, 'runtime/process/lifetime/stop-with-parent.mjs')
  const preload = ['--import', pathToFileURL(withParent).href]
  const child: ChildProcess = spawn(process.execPath, [...flags, ...preload, ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-OUTPUT_LENGTH)
      if (output.includes(line)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`${role} exited before it was ready: ${output}`)))
  })
  ready.catch(() => {})
  const ended: Promise<number | string> = once(child, 'exit').then(
    ([code, signal]) => code ?? signal,
  )
  return {
    ready,
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal)
      await ended
    },
    output: () => output,
  }
}

/** Settings of a role on these servers, with a small connection pool. */
export function roleEnv(servers: Servers, secrets: Secrets = testSecrets()): NodeJS.ProcessEnv {
  return {
    ...secrets,
    DATABASE_URL: servers.databaseUrl,
    DATABASE_POOL: '4',
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    OTP_PER_ADDRESS_HOUR: '30000',
    FAST_PASSWORDS: 'on',
  }
}

/** Starts a gateway on this port. */
export function gatewayProcess(servers: Servers, port: number): GatewayProcess {
  return { ...roleProcess('gateway', { ...roleEnv(servers), PORT: String(port) }), port }
}
