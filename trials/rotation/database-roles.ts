import { withClient } from '#db/postgres/connection/admin'

/** Owns the database and its tables; nobody signs in as it. */
const OWNER = 'tesp_owner'

const run = (adminUrl: string, ...statements: string[]) =>
  withClient(adminUrl, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** `databaseUrl` with another user. */
function urlFor(databaseUrl: string, user: string, password: string): string {
  const url = new URL(databaseUrl)
  Object.assign(url, { username: user, password })
  return url.href
}

/** Gives an empty database an owner whose rights the sign-in roles share. */
export async function createOwner(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await run(databaseUrl, `create role ${OWNER} nologin`, `alter database ${name} owner to ${OWNER}`)
}

/** Adds a sign-in role that acts as the owner; returns its URL. */
export async function addRole(adminUrl: string, user: string, password: string): Promise<string> {
  await run(
    adminUrl,
    `create role ${user} login password '${password}' in role ${OWNER}`,
    // New tables belong to the owner, whichever role migrates.
    `alter role ${user} set role to ${OWNER}`,
  )
  return urlFor(adminUrl, user, password)
}

/** Locks a role out and returns how many of its connections were still open. */
export async function removeRole(adminUrl: string, user: string): Promise<number> {
  return withClient(adminUrl, async (client) => {
    await client.query(`alter role ${user} nologin`)
    const { rowCount } = await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      [user],
    )
    await client.query(`drop role ${user}`)
    return rowCount ?? 0
  })
}
