// Plain Node, built-ins only: runs before any dependency is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockOwner, processMark, tryLock, unlock } from '#runtime/process/lifetime/process-lock.mjs'

const OPTIONS = [
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]

/** Settings that the outer npm passes in the environment and that would change what is installed. */
const OUTER_SETTING =
  /^npm_(config_(omit|include|only|production|ignore_scripts|global|prefix|workspace.*|dry_run)|lifecycle_|package_|command)/i

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && !OUTER_SETTING.test(name),
  )
  return Object.fromEntries(entries)
}

function canWriteCache({ npm_config_cache: cache, HOME }) {
  try {
    const folder = cache || path.join(HOME || os.homedir(), '.npm')
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Arguments of npm, which gets a cache in `root` if it cannot write its own, as with a read-only home. */
export function npmArguments(root, args, env = process.env) {
  const cache = canWriteCache(env) ? [] : ['--cache', path.join(root, '.data', 'npm-cache')]
  return [...args, ...OPTIONS, ...cache]
}

/** Holds the mark of npm, which survives if the process that started it is killed. */
const installerFile = (root) => path.join(root, '.deps-lock.npm')

/** Ends a process and what it has started, unless it has ended. */
function killGroup(pid) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Ends the npm of a killed installer. Windows may have given its id to another process. */
function endAbandonedInstall(root) {
  const file = installerFile(root)
  const pid = process.platform === 'win32' ? undefined : lockOwner(file)
  if (pid !== undefined) killGroup(pid)
  fs.rmSync(file, { force: true })
}

/** In a process group that the terminal's signals do not reach, killed when this process exits. False if it fails. */
function npm(root, args) {
  const cli = process.env.npm_execpath ?? ''
  const byNode = /npm-cli\.js$/.test(cli)
  const isWindows = process.platform === 'win32'
  let child
  const kill = () => child?.pid && killGroup(child.pid)
  const exit = (_, number) => process.exit(128 + number)
  // Before npm starts: a signal would otherwise end this process and leave npm running.
  process.once('exit', kill)
  for (const signal of SIGNALS) process.once(signal, exit)
  child = spawn(
    byNode ? process.execPath : 'npm',
    [...(byNode ? [cli] : []), ...npmArguments(root, args)],
    {
      cwd: root,
      env: cleanEnvironment(),
      stdio: 'inherit',
      shell: isWindows && !byNode,
      detached: !isWindows,
    },
  )
  const mark = child.pid && processMark(child.pid)
  if (mark) fs.writeFileSync(installerFile(root), mark)
  return new Promise((resolve) => {
    const ended = (code) => {
      process.off('exit', kill)
      for (const signal of SIGNALS) process.off(signal, exit)
      fs.rmSync(installerFile(root), { force: true })
      resolve(code === 0)
    }
    child.once('error', ended)
    child.once('exit', ended)
  })
}

async function npmInstall(root) {
  console.log('Installing dependencies (npm ci), once …')
  // If the lock lacks packages of other platforms, `npm ci` of npm 11 fails; `install` keeps the pins.
  if ((await npm(root, ['ci'])) || (await npm(root, ['install', '--no-save']))) return
  throw new Error('Installing the dependencies failed: see the output of npm above.')
}

const installedList = (root) => path.join(root, 'node_modules', '.package-lock.json')

/** Includes npm's list of what is installed, which `npm prune` changes. */
function stampOf(root) {
  const list = installedList(root)
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}-${process.versions.modules}`)
    .update(fs.existsSync(list) ? fs.readFileSync(list) : '')
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
  const installed = packagesOf(installedList(root))
  if (Object.keys(installed).length === 0) return false
  return Object.entries(packagesOf(path.join(root, 'package-lock.json'))).every(
    ([key, pkg]) =>
      key === '' ||
      pkg.link ||
      (key in installed ? installed[key].version === pkg.version : mayBeMissing(pkg)),
  )
}

/** Of several concurrent processes one installs and the others wait. Returns whether this call installed. */
export async function ensureDeps(root, install = npmInstall) {
  const stamp = path.join(root, 'node_modules', '.deps-stamp')
  const lock = path.join(root, '.deps-lock')
  const done = () => {
    try {
      return fs.readFileSync(stamp, 'utf8') === stampOf(root)
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
    endAbandonedInstall(root)
    if (done()) return false
    const missing = !installedByHand(root)
    if (missing) await install(root)
    fs.writeFileSync(stamp, stampOf(root))
    return missing
  } finally {
    unlock(lock)
  }
}
