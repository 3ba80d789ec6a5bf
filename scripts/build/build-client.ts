import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock, unlock } from '#scripts/process/process-lock.mjs'
import { ROOT } from '#scripts/process/root'
import { compressFolder } from './compress.ts'
import { inputHash } from './input-hash.ts'

const INPUTS = [
  'client',
  'db/rules',
  'gateway/contract',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]
const STAMP = '.inputs'

function stampOf(folder: string): string | undefined {
  try {
    return fs.readFileSync(path.join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

/** In a process of its own: Vite sets NODE_ENV, and React's production build needs it so. */
function runVite(outDir: string): Promise<void> {
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--config', path.join(ROOT, 'vite.config.ts'), '--outDir', outDir]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vite, ...args, '--emptyOutDir', '--logLevel', 'warn'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The client does not build:\n${output}`)),
    )
  })
}

/** The finished build replaces the old one by two renames: a served page is whole or retried. */
function swap(fresh: string, folder: string) {
  const old = `${folder}.old`
  fs.rmSync(old, { recursive: true, force: true })
  if (fs.existsSync(folder)) fs.renameSync(folder, old)
  fs.renameSync(fresh, folder)
  fs.rmSync(old, { recursive: true, force: true })
}

/**
 * Builds the client into `outDir` unless it was built from the same sources already; says whether it
 * did. Of several callers at once, one builds and the others wait for it.
 */
export async function buildClient(outDir = 'dist/client'): Promise<boolean> {
  const folder = path.resolve(ROOT, outDir)
  const inputs = inputHash(ROOT, INPUTS)
  if (stampOf(folder) === inputs) return false

  const lock = `${folder}.lock`
  const fresh = `${folder}.new`
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  while (!tryLock(lock)) await sleep(100)
  try {
    if (stampOf(folder) === inputs) return false
    fs.rmSync(fresh, { recursive: true, force: true })
    await runVite(fresh)
    await compressFolder(fresh)
    fs.writeFileSync(path.join(fresh, STAMP), inputs)
    swap(fresh, folder)
    return true
  } finally {
    unlock(lock)
  }
}
