import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockOwner } from '#runtime/process/lifetime/process-lock.mjs'
import { postgresHome, removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { findPostmaster, stopPostmaster } from '#scripts/embedded/postgres/postmaster'

const HOSTS_LIMIT_MS = 10_000

/** What a process runs on its own servers. */
type Kind = 'test' | 'simulate'

/** Data folder of the run of this process. */
export const runDataDir = (parent: string, kind: Kind) =>
  path.join(parent, `${kind}-${process.pid}`)

/** Hosts of a killed run stop their servers. A host that was killed as well leaves Postgres running. */
async function stopServers(dataDir: string) {
  const end = performance.now() + HOSTS_LIMIT_MS
  const isHosted = () =>
    ['postgres', 'valkey'].some((kind) => lockOwner(path.join(dataDir, `${kind}.lock`)))
  while (isHosted() && performance.now() < end) await sleep(100)
  if (!fs.existsSync(path.join(dataDir, 'postgres.secret'))) return
  const survivor = findPostmaster(postgresHome(dataDir).data)
  if (survivor) await stopPostmaster(survivor.pid)
}

/** Removes the data folders of killed runs. */
export async function removeLeftovers(parent: string, kind: Kind) {
  const names = fs.existsSync(parent) ? fs.readdirSync(parent) : []
  for (const name of names) {
    const pid = Number(name.slice(`${kind}-`.length))
    if (name !== `${kind}-${pid}`) continue
    const dataDir = path.join(parent, name)
    const isRunning = lockOwner(path.join(dataDir, 'owner.lock')) !== undefined
    if (isRunning || pid === process.pid) continue
    await stopServers(dataDir)
    removeDataDir(dataDir)
  }
}
