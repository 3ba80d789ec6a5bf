import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processMark } from '#runtime/process/lifetime/process-lock.mjs'

export interface Postmaster {
  pid: number
  port: number
  status: string
}

const pidFile = (data: string) => path.join(data, 'postmaster.pid')

/** Empty if there is no such process. */
export function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** The server that runs on `data`, no matter which process started it. */
export function findPostmaster(data: string): Postmaster | undefined {
  let lines: string[]
  try {
    lines = fs.readFileSync(pidFile(data), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!(pid > 0 && commandLine(pid).includes(data))) return undefined
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() }
}

/** Postgres refuses to start on a pid of another program. A dead pid stays: Postgres uses it. */
export function dropMistakenPidFile(data: string) {
  if (findPostmaster(data) || !fs.existsSync(pidFile(data))) return
  const pid = Number.parseInt(fs.readFileSync(pidFile(data), 'utf8'), 10)
  if (processMark(pid)) fs.rmSync(pidFile(data), { force: true })
}

/** Elsewhere than on Linux a mark costs a process, which is too much for each poll. */
const isAlive = (pid: number, mark: string) =>
  process.platform === 'linux' ? processMark(pid) === mark : answersSignals(pid)

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** False after `limitMs`. */
export async function gone(pid: number, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
  const mark = processMark(pid)
  const end = Date.now() + limitMs
  while (mark !== undefined && isAlive(pid, mark)) {
    if (Date.now() > end) return false
    await sleep(25)
  }
  return true
}

/** Stops a server: fast shutdown, then immediate shutdown, then SIGKILL. */
export async function stopPostmaster(pid: number) {
  const steps = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const
  for (const [signal, limitMs] of steps) {
    if (!processMark(pid)) return
    process.kill(pid, signal)
    if (await gone(pid, limitMs)) return
  }
}
