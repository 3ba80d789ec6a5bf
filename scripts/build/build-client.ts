import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock, unlock } from '#scripts/process/process-lock.mjs'
import { ROOT } from '#scripts/process/root'
import { runProgram } from '#scripts/process/run-program'
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

/** In a child process: Vite sets NODE_ENV, and React's production build depends on it. */
function runVite(outDir: string): Promise<void> {
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  const config = ['--config', path.join(ROOT, 'vite.config.ts')]
  const output = ['--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  const args = [vite, 'build', ...config, ...output]
  const env = { ...process.env, NODE_ENV: 'production' }
  return runProgram('The client build failed', process.execPath, args, { cwd: ROOT, env })
}

/** Replaces the old build by two renames, so a page is never served from a mix of two builds. */
function swap(fresh: string, folder: string) {
  const old = `${folder}.old`
  fs.rmSync(old, { recursive: true, force: true })
  if (fs.existsSync(folder)) fs.renameSync(folder, old)
  fs.renameSync(fresh, folder)
  fs.rmSync(old, { recursive: true, force: true })
}

/**
 * Builds the client into `outDir` unless the build there has the same sources. Of several concurrent
 * callers one builds and the others wait.
 * @returns whether this call built it
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
