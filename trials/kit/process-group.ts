import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockOwner, tryLock } from '#runtime/process/lifetime/process-lock.mjs'
import { ROOT } from '#runtime/process/root'
import { findPostmaster, stopPostmaster } from '#scripts/embedded/postgres/postmaster'
import { openFolder, signalAll } from './child.ts'

const PREFIX = 'tesp-trial-'
const END_LIMIT_MS = 5_000

const groupFile = (folder: string) => path.join(folder, 'group')

const isRunning = (group: number) => {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

async function endGroup(folder: string): Promise<void> {
  const group = fs.existsSync(groupFile(folder)) ? Number(fs.readFileSync(groupFile(folder))) : 0
  if (group > 1) {
    signalAll([-group], 'SIGTERM')
    const end = Date.now() + END_LIMIT_MS
    while (isRunning(group) && Date.now() < end) await sleep(50)
    signalAll([-group], 'SIGKILL')
  }
  // Patroni and embedded servers run in process groups of their own.
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => path.basename(name) === 'postmaster.pid')) {
    const server = findPostmaster(path.join(folder, path.dirname(file)))
    if (server) await stopPostmaster(server.pid)
  }
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Ends the processes and removes the files of earlier trials that were killed. */
export async function endLeftovers(parent = os.tmpdir()): Promise<void> {
  const bootedAt = Date.now() - os.uptime() * 1_000
  for (const name of fs.readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(parent, name)
    if (lockOwner(path.join(folder, 'owner.lock')) !== undefined) continue
    // Since a restart of the machine, the number may be that of another group.
    if (fs.statSync(folder).mtimeMs < bootedAt) fs.rmSync(groupFile(folder), { force: true })
    // A folder in which something still writes goes with the next trial.
    await endGroup(folder).catch((error) => console.error(`${folder} is left: ${error.message}`))
  }
}

/** However Node ends, its process group and TMPDIR are removed. @returns exit code; 128 + n after signal n */
export async function runInGroup(argv: string[]): Promise<number> {
  await endLeftovers()
  const folder = openFolder(PREFIX)
  tryLock(path.join(folder, 'owner.lock'))
  let code = 0
  const stopWithParent = path.join(ROOT, 'runtime/process/lifetime/stop-with-parent.mjs')
  const child = spawn(process.execPath, ['--import', stopWithParent, ...argv], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder, TRIAL_FOLDER: folder },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  fs.writeFileSync(groupFile(folder), String(child.pid))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      code = 128 + os.constants.signals[signal]
      child.kill(signal)
    })
  }
  const [ended] = await once(child, 'exit')
  await endGroup(folder)
  return code || (ended ?? 1)
}
