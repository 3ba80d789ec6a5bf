import { spawn } from 'node:child_process'
import os from 'node:os'
import { readEnvironment } from '#runtime/process/environment'
import { ROLE_ENV, ROLE_FLAGS } from '#runtime/process/role-flags'
import { ROOT } from '#runtime/process/root'
import { buildRoles, ROLES_DIR } from '#scripts/build/build-roles'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A child process without tsx, which would compile the bundle again and keep hundreds of MB. */
const role = process.argv[2] === 'workers' ? 'workers' : 'gateway'
await buildRoles()
const flags = [...ROLE_FLAGS[role], '--import', './runtime/process/lifetime/stop-with-parent.mjs']
const child = spawn(process.execPath, [...flags, `${ROLES_DIR}/${role}.mjs`], {
  cwd: ROOT,
  env: { ...ROLE_ENV, ...readEnvironment() },
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
for (const signal of FORWARDED) process.on(signal, () => child.kill(signal))
child.once('error', (error) => {
  throw error
})
child.once('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 1))
})
