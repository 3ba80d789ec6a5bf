import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { spawnOptions } from '#scripts/embedded/postgres/initdb'
import { type ServerUser, serverUser } from '#scripts/embedded/postgres/server-user'
import { run } from '#scripts/embedded/run-program'
import { until } from './until.ts'

/** Runs an npm script of the product with exactly this environment, plus PATH. */
export const runScript = (name: string, args: string[], env: NodeJS.ProcessEnv, root = ROOT) =>
  run(process.execPath, ['scripts/run.mjs', name, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    name,
  })

/** Runs tests of a checkout and shows what Vitest prints; `defer` is the trial's. @throws {Error} if one fails */
export async function runVitest(
  defer: (undo: () => unknown) => void,
  cwd: string,
  options: string[],
  defaults: NodeJS.ProcessEnv = {},
): Promise<void> {
  const argv = ['node_modules/vitest/vitest.mjs', 'run', ...options]
  const env = { ...defaults, ...process.env, NODE_ENV: 'test' }
  const child = spawn(process.execPath, argv, { cwd, env, stdio: 'inherit' })
  defer(() => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Vitest ended with ${code}`)
}

/** A new temporary folder that servers can enter: they run under another account if this process is root. */
export function openFolder(prefix: string, parent = os.tmpdir()): string {
  const folder = fs.mkdtempSync(path.join(parent, prefix))
  fs.chmodSync(folder, 0o755)
  return folder
}

/** A program that runs until it is stopped, with its own folder, log and, if this is root, account. */
export class ServerProcess {
  private child: ChildProcess | undefined
  protected readonly user: ServerUser | undefined

  /** @param folder is created if it is missing; absent, a temporary one */
  constructor(
    private readonly program: string,
    readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-server-')),
  ) {
    fs.mkdirSync(folder, { mode: 0o700, recursive: true })
    this.user = serverUser(folder)
    this.own(folder)
  }

  /** Writes a file that the program may read; returns its path. */
  write(name: string, text: string): string {
    const file = path.join(this.folder, name)
    fs.writeFileSync(file, text, { mode: 0o600 })
    this.own(file)
    return file
  }

  launch(args: string[]): void {
    const log = fs.openSync(path.join(this.folder, 'log'), 'a')
    this.child = spawn(this.program, args, {
      ...spawnOptions(this.user),
      stdio: ['ignore', log, log],
    })
    fs.closeSync(log)
  }

  /** Waits until it answers. @throws {Error} with its log, if it has ended or a minute has passed */
  async until(answers: () => Promise<unknown>): Promise<void> {
    const isOver = async () => !this.isRunning || answers()
    await until(`${this.program} answers`, isOver, { logs: async () => this.lastLog() })
    if (!this.isRunning) throw new Error(`${this.program} did not start: ${this.lastLog()}`)
  }

  /** Whether it was started and has not ended; true for a frozen process. */
  get isRunning(): boolean {
    const { child } = this
    return child !== undefined && child.exitCode === null && !child.signalCode
  }

  get pid(): number | undefined {
    return this.isRunning ? this.child?.pid : undefined
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal)
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.child || !this.isRunning) return
    const ended = once(this.child, 'exit')
    this.child.kill(signal)
    await ended
  }

  async remove(): Promise<void> {
    await this.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  lastLog(): string {
    const file = path.join(this.folder, 'log')
    const log = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : 'not started'
    return log.trim().split('\n').slice(-20).join('\n')
  }

  protected own(file: string): void {
    if (this.user) fs.chownSync(file, this.user.uid, this.user.gid)
  }
}

/** The process and all its descendants, parents first. Linux only. */
export function processTree(pid: number): number[] {
  try {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(processTree)]
  } catch {
    return []
  }
}

export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {}
  }
}
