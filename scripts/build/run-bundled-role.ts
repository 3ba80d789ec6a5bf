import { spawn } from 'node:child_process'
import os from 'node:os'
import { readEnvironment } from '#runtime/process/environment'
import { ROLE_ENV, ROLE_FLAGS } from '#runtime/process/role-flags'
import { ROOT } from '#runtime/process/root'
import { buildRoles, ROLES_DIR } from './build-roles.ts'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Builds the roles if needed and runs one until it exits, with its exit code. A child process
 * without tsx, which would compile the bundle again and keep hundreds of MB for that.
 */
export async function runBundledRole(role: 'gateway' | 'workers'): Promise<never> {
  await buildRoles()
  const flags = [...ROLE_FLAGS[role], '--import', './runtime/process/lifetime/stop-with-parent.mjs']
  const child = spawn(process.execPath, [...flags, `${ROLES_DIR}/${role}.mjs`], {
    cwd: ROOT,
    env: { ...ROLE_ENV, ...readEnvironment() },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal))
  return new Promise((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 1))
    })
  })
}
