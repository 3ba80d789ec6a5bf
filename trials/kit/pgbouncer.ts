import { withClient } from '#db/postgres/connection/pool'
import { freePort } from '#runtime/config/free-port'
import { ServerProcess } from './child.ts'

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

/** It passes no time-outs on, so the database gets those of the pools. */
export async function startPgBouncer(
  databaseUrl: string,
  poolSize: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  await limitTransactions(databaseUrl)
  // PgBouncer refuses to run as root.
  const pooler = new ServerProcess('pgbouncer')
  const server = new URL(databaseUrl)
  const url = new URL(databaseUrl)
  const port = await freePort()
  url.host = `127.0.0.1:${port}`
  const user = `"${server.username}" "${decodeURIComponent(server.password)}"\n`
  const users = pooler.write('users.txt', user)
  const target = `* = host=${server.hostname} port=${server.port}`
  const lines = ['[databases]', target, '[pgbouncer]', ...settings(port, users, poolSize)]
  pooler.launch(['-q', pooler.write('pgbouncer.ini', lines.join('\n'))])
  try {
    await pooler.until(() => withClient(url.href, (client) => client.query('select 1')))
  } catch (error) {
    await pooler.remove()
    throw error
  }
  return {
    url: url.href,
    async stop() {
      await pooler.kill('SIGTERM')
      await pooler.remove()
    },
  }
}

const limitTransactions = (databaseUrl: string) =>
  withClient(databaseUrl, async (client) => {
    const name = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1))
    await client.query(`alter database ${name} set statement_timeout = '15s'`)
    await client.query(`alter database ${name} set idle_in_transaction_session_timeout = '10s'`)
  })
