import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROLE_ENV, ROLE_FLAGS } from '#runtime/process/role-flags'
import { ROOT } from '#runtime/process/root'

export type RoleName = 'gateway' | 'workers'

/** A process of the product, from the bundle that operators run. */
export type RunningRole = {
  pid: number
  /** Milliseconds from the start of the process until it serves. */
  startMs: number
  stop(): Promise<void>
}

/**
 * Starts a role and waits until it reports that it is ready. `buildRoles` must have run.
 * @param program arguments of Node; for a profile the sources, whose modules have names
 * @param checkout folder in which it runs: a gateway serves the client that is built there
 */
export async function startRole(
  role: RoleName,
  env: NodeJS.ProcessEnv,
  program: string[] = [`dist/roles/${role}.mjs`],
  checkout = ROOT,
): Promise<RunningRole> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...ROLE_FLAGS[role], ...program], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...ROLE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-8_000)
      if (output.includes(`${role} ${role === 'gateway' ? 'is' : 'are'} ready`)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${role} ended before it was ready:\n${output}`)))
  })
  return {
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
