// Plain Node, built-ins only: runs before any dependency is installed.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

const ABANDONED_CLAIM_MS = 5_000

/** Start time of the process: it distinguishes two processes that had the same id. */
function startOf(pid) {
  if (process.platform === 'linux') {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie still accepts signal 0, but it can hold no lock.
    if (fields[0] === 'Z') throw new Error('zombie')
    return fields[19]
  }
  process.kill(pid, 0)
  if (process.platform === 'win32') return 'unknown'
  // Two processes with other locales or time zones must read the same.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim()
}

/** Id and start time of a living process; undefined if no process has this id. */
export function processMark(pid = process.pid) {
  try {
    return `${pid} ${startOf(pid)}`
  } catch {
    return undefined
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function pidIfAlive(mark) {
  const pid = Number.parseInt(mark ?? '', 10)
  return pid > 0 && processMark(pid) === mark ? pid : undefined
}

/** Id of the living process that holds the lock, if any. */
export function lockOwner(file) {
  return pidIfAlive(read(file))
}

/** link(2) creates the file with its content atomically, so no reader sees a lock without an owner. */
function createLock(file, own) {
  try {
    fs.linkSync(own, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Replaces the lock of a dead owner. The claim file lets one process at a time check and replace it. */
function takeOver(file, own) {
  const claim = `${file}.claim`
  if (!createLock(claim, own)) {
    const stat = fs.statSync(claim, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.ctimeMs > ABANDONED_CLAIM_MS) fs.rmSync(claim, { force: true })
    return false
  }
  try {
    if (lockOwner(file) !== undefined) return false
    fs.renameSync(own, file)
    return true
  } finally {
    fs.rmSync(claim, { force: true })
  }
}

/** Takes the lock if it is free or its owner is dead. Returns whether it did. */
export function tryLock(file) {
  const own = `${file}.${process.pid}`
  fs.writeFileSync(own, processMark() ?? '')
  try {
    if (createLock(file, own)) return true
    return lockOwner(file) === undefined && takeOver(file, own)
  } finally {
    fs.rmSync(own, { force: true })
  }
}

export function unlock(file) {
  if (read(file) === processMark()) fs.rmSync(file, { force: true })
}
