import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '#db/postgres/connection/admin'
import { freePort } from '#runtime/config/free-port'
import { serverUser } from '#scripts/embedded/postgres/server-user'

/** Why the suite cannot run here; undefined if it can. */
export function missingPgBouncer(): string | undefined {
  const { status } = spawnSync('pgbouncer', ['--version'])
  return status === 0 ? undefined : 'pgbouncer is not installed'
}

/** As docs/scale.md recommends. */
const settings = (port: number, users: string, poolSize: number) => [
  'listen_addr = 127.0.0.1',
  `listen_port = ${port}`,
  'unix_socket_dir =',
  'auth_type = scram-sha-256',
  `auth_file = ${users}`,
  'pool_mode = transaction',
  `default_pool_size = ${poolSize}`,
  'max_client_conn = 500',
  // After a failover of Postgres: connect again immediately, and answer instead of waiting.
  'server_login_retry = 1',
  'query_wait_timeout = 10',
  'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
]

/** PgBouncer in transaction mode before the server at `databaseUrl`. */
export async function startPgBouncer(
  databaseUrl: string,
  poolSize: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-pgbouncer-'))
  const server = new URL(databaseUrl)
  const url = new URL(databaseUrl)
  const port = await freePort()
  url.host = `127.0.0.1:${port}`
  const users = path.join(folder, 'users.txt')
  const configuration = path.join(folder, 'pgbouncer.ini')
  fs.writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
  const target = `* = host=${server.hostname} port=${server.port}`
  const lines = ['[databases]', target, '[pgbouncer]', ...settings(port, users, poolSize)]
  fs.writeFileSync(configuration, lines.join('\n'))
  // PgBouncer refuses to run as root.
  const user = serverUser(folder)
  for (const file of [folder, users, configuration]) {
    if (user) fs.chownSync(file, user.uid, user.gid)
  }
  const child = spawn('pgbouncer', ['-q', configuration], { stdio: 'ignore', ...user })
  const stop = async () => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    fs.rmSync(folder, { recursive: true, force: true })
  }
  while (!(await answers(url.href))) {
    if (child.exitCode !== null) {
      await stop()
      throw new Error(`pgbouncer exited with ${child.exitCode}`)
    }
    await sleep(50)
  }
  return { url: url.href, stop }
}

/** PgBouncer passes no time-outs on, so the database sets those of the pools. */
export async function limitTransactions(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const name = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1))
    await client.query(`alter database ${name} set statement_timeout = '15s'`)
    await client.query(`alter database ${name} set idle_in_transaction_session_timeout = '10s'`)
  })
}

function answers(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )
}
