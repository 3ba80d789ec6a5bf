import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAt, withClient } from '#db/postgres/connection/admin'
import { freePort } from '#runtime/config/free-port'
import { runProgram } from '#runtime/process/run-program'
import { spawnOptions } from '#scripts/embedded/postgres/initdb'
import { type ServerUser, serverUser } from '#scripts/embedded/postgres/server-user'

const READY_LIMIT_MS = 60_000

/** A server of an installed PostgreSQL with its data, its WAL archive and its account. */
export class PostgresServer {
  private child: ChildProcess | undefined
  private readonly password = randomBytes(18).toString('hex')
  private readonly user: ServerUser | undefined

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    readonly port: number,
  ) {
    this.user = serverUser(folder)
    this.own(folder)
  }

  /** An initialised server that is not started, below an empty folder. */
  static async create(
    programs: string,
    folder: string,
    { auth = 'scram-sha-256' }: { auth?: 'scram-sha-256' | 'trust' } = {},
  ): Promise<PostgresServer> {
    fs.mkdirSync(folder, { recursive: true })
    const server = new PostgresServer(programs, folder, await freePort())
    const passwordFile = path.join(folder, 'password')
    fs.writeFileSync(passwordFile, `${server.password}\n`)
    server.own(passwordFile)
    await server.run('initdb', [
      `--pgdata=${server.data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      `--auth=${auth}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ])
    return server
  }

  get data(): string {
    return path.join(this.folder, 'data')
  }

  /** Process id of the postmaster, while it runs. */
  get pid(): number {
    const pid = this.child?.pid
    if (pid === undefined) throw new Error('Postgres is not started')
    return pid
  }

  /** URL of the database `tesp`. */
  get url(): string {
    return databaseAt(`postgres://postgres:${this.password}@127.0.0.1:${this.port}/`, 'tesp')
  }

  get adminUrl(): string {
    return databaseAt(this.url, 'postgres')
  }

  /** Makes an empty folder that the server may write to. */
  makeFolder(name: string): string {
    const made = path.join(this.folder, name)
    fs.mkdirSync(made, { mode: 0o700 })
    this.own(made)
    return made
  }

  /** Runs one of PostgreSQL's programs, or one of the system, as the server's account. */
  async run(program: string, args: string[]): Promise<void> {
    const options = spawnOptions(this.user)
    const file = path.join(this.programs, program)
    const found = fs.existsSync(file) ? file : program
    await runProgram(`${program} failed`, found, args, {
      ...options,
      env: { ...options.env, PGPASSWORD: this.password },
    })
  }

  /** Starts the server on its data and waits until it accepts writes, after a recovery too. */
  async start(settings: string[] = []): Promise<void> {
    const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
    const args = ['-D', this.data, '-p', `${this.port}`, ...all.flatMap((one) => ['-c', one])]
    const log = fs.openSync(this.logFile, 'a')
    const child = spawn(path.join(this.programs, 'postgres'), args, {
      ...spawnOptions(this.user),
      stdio: ['ignore', log, log],
    })
    fs.closeSync(log)
    this.child = child
    const end = Date.now() + READY_LIMIT_MS
    while (!(await acceptsWrites(this.adminUrl))) {
      if (child.exitCode !== null || Date.now() > end) {
        throw new Error(`Postgres did not start: ${this.lastLog()}`)
      }
      await sleep(50)
    }
  }

  /** Ends the server without a shutdown checkpoint, as a crash does. */
  async crash(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGQUIT')
    await ended
  }

  /** The last lines of the server's log. */
  lastLog(lines = 15): string {
    return fs.readFileSync(this.logFile, 'utf8').trim().split('\n').slice(-lines).join('\n')
  }

  /** Writes a file of the data folder, owned by the server's account. */
  writeData(name: string, text: string): void {
    const file = path.join(this.data, name)
    fs.appendFileSync(file, text)
    this.own(file)
  }

  private get logFile(): string {
    return path.join(this.folder, 'postgres.log')
  }

  private own(file: string): void {
    if (this.user) fs.chownSync(file, this.user.uid, this.user.gid)
  }
}

function acceptsWrites(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rows } = await client.query('select pg_is_in_recovery() as "isRecovering"')
    return !rows[0].isRecovering
  }).catch(() => false)
}
