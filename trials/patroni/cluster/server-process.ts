import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { spawnOptions } from '#scripts/embedded/postgres/initdb'
import { type ServerUser, serverUser } from '#scripts/embedded/postgres/server-user'

/** A program that runs until it is killed, with a folder and a log of its own. */
export class ServerProcess {
  private child: ChildProcess | undefined
  private readonly user: ServerUser | undefined

  /** @param folder is created */
  constructor(
    private readonly program: string,
    readonly folder: string,
  ) {
    fs.mkdirSync(folder, { mode: 0o700 })
    this.user = serverUser(folder)
    this.own(folder)
  }

  /** Writes a file of the folder that the program may read; returns its path. */
  write(name: string, text: string): string {
    const file = path.join(this.folder, name)
    fs.writeFileSync(file, text, { mode: 0o600 })
    this.own(file)
    return file
  }

  /** Starts the program; its output is appended to the log. */
  start(args: string[]): void {
    const log = fs.openSync(path.join(this.folder, 'log'), 'a')
    this.child = spawn(this.program, args, {
      ...spawnOptions(this.user),
      stdio: ['ignore', log, log],
    })
    fs.closeSync(log)
  }

  /** Its process id while it runs. */
  get pid(): number | undefined {
    const { child } = this
    return child && child.exitCode === null && !child.signalCode ? child.pid : undefined
  }

  /** The last lines of the log. */
  lastLog(lines = 20): string {
    const file = path.join(this.folder, 'log')
    const log = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : 'not started'
    return log.trim().split('\n').slice(-lines).join('\n')
  }

  /** Kills the process, also a frozen one, and waits for its end. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child || this.pid === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  private own(file: string): void {
    if (this.user) fs.chownSync(file, this.user.uid, this.user.gid)
  }
}
