// Plain Node, built-ins only: runs before any dependency is installed.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock, unlock } from '#runtime/process/lifetime/process-lock.mjs'
import { npmInstall } from './npm-install.mjs'

function wantedStamp(root) {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}-${process.versions.modules}`)
    .digest('hex')
}

function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** npm leaves out optional packages of other platforms. This does not detect the libc, so it accepts both. */
function mayBeMissing(pkg) {
  if (!pkg.optional) return false
  const fits = (list, value) => !list || list.includes(value)
  if (!pkg.os && !pkg.cpu) return true
  return Boolean(pkg.libc) || !fits(pkg.os, process.platform) || !fits(pkg.cpu, process.arch)
}

/** Whether `npm ci` or `npm install`, run by hand, installed exactly what the lock file names. */
function installedByHand(root) {
  const installed = packagesOf(path.join(root, 'node_modules', '.package-lock.json'))
  if (Object.keys(installed).length === 0) return false
  return Object.entries(packagesOf(path.join(root, 'package-lock.json'))).every(
    ([key, pkg]) =>
      key === '' ||
      pkg.link ||
      (key in installed ? installed[key].version === pkg.version : mayBeMissing(pkg)),
  )
}

/**
 * Installs the locked dependencies of `root` if they are missing. Of several concurrent processes one
 * installs and the others wait. Returns whether this call installed.
 */
export async function ensureDeps(root, install = npmInstall) {
  const stamp = path.join(root, 'node_modules', '.deps-stamp')
  const lock = path.join(root, '.deps-lock')
  const wanted = wantedStamp(root)
  const done = () => {
    try {
      return fs.readFileSync(stamp, 'utf8') === wanted
    } catch {
      return false
    }
  }

  if (done()) return false
  while (!tryLock(lock)) {
    await sleep(200)
    if (done()) return false
  }
  try {
    if (done()) return false
    const missing = !installedByHand(root)
    if (missing) install(root)
    fs.writeFileSync(stamp, wanted)
    return missing
  } finally {
    unlock(lock)
  }
}
