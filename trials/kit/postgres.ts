import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { withClient } from '#db/postgres/connection/pool'
import { freePort } from '#runtime/config/free-port'
import { databaseAt } from '#scripts/embedded/create-database'
import { spawnOptions } from '#scripts/embedded/postgres/initdb'
import { run } from '#scripts/embedded/run-program'
import { ServerProcess } from './child.ts'
import { postgresPrograms } from './needs.ts'

/** A server of an installed PostgreSQL with its data, log and account. */
export class PostgresServer extends ServerProcess {
  private readonly password = randomBytes(18).toString('hex')

  private constructor(
    private readonly programs: string,
    folder: string,
    readonly port: number,
  ) {
    super(path.join(programs, 'postgres'), folder)
  }

  /** An initialised server that is not started, below an empty folder. */
  static async create(
    folder: string,
    { auth = 'scram-sha-256' }: { auth?: 'scram-sha-256' | 'trust' } = {},
  ): Promise<PostgresServer> {
    const server = new PostgresServer(postgresPrograms() ?? '', folder, await freePort())
    await server.run('initdb', [
      `--pgdata=${server.data}`,
      '--username=postgres',
      `--pwfile=${server.write('password', `${server.password}\n`)}`,
      `--auth=${auth}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ])
    return server
  }

  get data(): string {
    return path.join(this.folder, 'data')
  }

  get url(): string {
    return databaseAt(`postgres://postgres:${this.password}@127.0.0.1:${this.port}/`, 'tesp')
  }

  get adminUrl(): string {
    return databaseAt(this.url, 'postgres')
  }

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
    await run(fs.existsSync(file) ? file : program, args, {
      ...options,
      env: { ...options.env, PGPASSWORD: this.password },
      name: program,
    })
  }

  /** Starts the server on its data and waits until it accepts writes, even after a recovery. */
  async start(settings: string[] = []): Promise<void> {
    const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
    this.launch(['-D', this.data, '-p', `${this.port}`, ...all.flatMap((one) => ['-c', one])])
    await this.until(() =>
      withClient(this.adminUrl, async (client) => {
        const { rows } = await client.query('select pg_is_in_recovery() as "isRecovering"')
        return !rows[0].isRecovering
      }),
    )
  }

  /** Ends the server without a shutdown checkpoint, as a crash does. */
  crash(): Promise<void> {
    return this.kill('SIGQUIT')
  }

  writeData(name: string, text: string): void {
    const file = path.join(this.data, name)
    fs.appendFileSync(file, text)
    this.own(file)
  }
}
