import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock, unlock } from '#runtime/process/lifetime/process-lock.mjs'
import { ROOT } from '#runtime/process/root'
import { inputHash } from './input-hash.ts'

const STAMP = '.inputs'

function stampOf(folder: string): string | undefined {
  try {
    return fs.readFileSync(path.join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

/** Replaces the old build by two renames, so no reader sees a mix of two builds. */
function swap(fresh: string, folder: string) {
  const old = `${folder}.old`
  fs.rmSync(old, { recursive: true, force: true })
  if (fs.existsSync(folder)) fs.renameSync(folder, old)
  fs.renameSync(fresh, folder)
  fs.rmSync(old, { recursive: true, force: true })
}

/**
 * Runs `build` into a fresh folder that replaces `outDir`, unless the build there has the same
 * sources. Of several concurrent callers one builds and the others wait.
 * @returns whether this call built it
 */
export async function buildOnce(
  outDir: string,
  sources: string[],
  build: (fresh: string) => Promise<void>,
): Promise<boolean> {
  const folder = path.resolve(ROOT, outDir)
  const inputs = inputHash(ROOT, sources)
  if (stampOf(folder) === inputs) return false

  const lock = `${folder}.lock`
  const fresh = `${folder}.new`
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  while (!tryLock(lock)) await sleep(100)
  try {
    if (stampOf(folder) === inputs) return false
    fs.rmSync(fresh, { recursive: true, force: true })
    await build(fresh)
    fs.writeFileSync(path.join(fresh, STAMP), inputs)
    swap(fresh, folder)
    return true
  } finally {
    unlock(lock)
  }
}
