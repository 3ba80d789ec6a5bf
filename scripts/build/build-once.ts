import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock, unlock } from '#runtime/process/lifetime/process-lock.mjs'
import { ROOT } from '#runtime/process/root'
import { run } from '#scripts/embedded/run-program'

function filesIn(entry: string): string[] {
  const stat = fs.statSync(entry, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [entry]
  return fs
    .readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.join(found.parentPath, found.name))
    .sort()
}

export function inputHash(root: string, entries: string[]): string {
  const hash = createHash('sha256')
  for (const file of entries.flatMap((entry) => filesIn(path.join(root, entry)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** A child process, because Vite sets NODE_ENV and React's production build depends on it. */
export async function viteBuild(what: string, config: string, outDir: string): Promise<void> {
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--config', path.join(ROOT, config)]
  const output = ['--outDir', outDir, '--emptyOutDir', '--logLevel', 'error']
  const env = { ...process.env, NODE_ENV: 'production' }
  await run(process.execPath, [...args, ...output], { cwd: ROOT, env, name: `The ${what} build` })
}

const STAMP = '.inputs'

function stampOf(folder: string): string | undefined {
  try {
    return fs.readFileSync(path.join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

/** Removes what killed builders left; their Vite may still be writing, so each has its own folder. */
function removeUnfinished(folder: string) {
  const parent = path.dirname(folder)
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(`${path.basename(folder)}.new`)) continue
    fs.rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 5 })
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

/** Of several concurrent callers one builds and the others wait. @returns whether this call built */
export async function buildOnce(
  outDir: string,
  sources: string[],
  build: (fresh: string) => Promise<void>,
): Promise<boolean> {
  const folder = path.resolve(ROOT, outDir)
  const inputs = inputHash(ROOT, sources)
  if (stampOf(folder) === inputs) return false

  const lock = `${folder}.lock`
  const fresh = `${folder}.new-${process.pid}`
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  while (!tryLock(lock)) await sleep(100)
  try {
    if (stampOf(folder) === inputs) return false
    removeUnfinished(folder)
    await build(fresh)
    fs.writeFileSync(path.join(fresh, STAMP), inputs)
    swap(fresh, folder)
    return true
  } finally {
    unlock(lock)
  }
}
