import fs from 'node:fs'
import path from 'node:path'
import { OperatorError } from '#runtime/operator-error'
import type { PostgresHome } from '#scripts/embedded/postgres/postgres-home'
import type { ServerUser } from '#scripts/embedded/postgres/server-user'
import { run } from '#scripts/embedded/run-program'

/** Environment of Postgres programs, independent of the caller's locale, time zone and folder. */
export const spawnOptions = (user: ServerUser | undefined) => ({
  ...user,
  cwd: path.parse(process.cwd()).root,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
})

/** Makes an empty cluster if there is none, by a rename: a killed initdb leaves no half cluster. */
export async function ensureCluster(
  initdb: string,
  { data, user, password }: PostgresHome,
  durable: boolean,
) {
  if (fs.existsSync(path.join(data, 'PG_VERSION'))) return
  const unfinished = `${data}.new`
  const passwordFile = `${data}.password`
  fs.rmSync(unfinished, { recursive: true, force: true })
  fs.mkdirSync(unfinished, { mode: 0o700 })
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) for (const file of [unfinished, passwordFile]) fs.chownSync(file, user.uid, user.gid)
  const options = {
    pgdata: unfinished,
    username: 'postgres',
    pwfile: passwordFile,
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    locale: 'C',
    'locale-provider': 'builtin',
    'builtin-locale': 'C.UTF-8',
  }
  // Hashing the password takes most of the time of connecting; a run of tests connects 2,000 times.
  const settings = durable ? [] : ['--set=scram_iterations=1']
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  try {
    const options = { ...spawnOptions(user), name: 'initdb' }
    await run(initdb, [...args, ...settings, '--no-sync'], options).catch((error) => {
      if (error.code !== 'ENOENT' || !fs.existsSync(initdb)) throw error
      throw new OperatorError(
        'The embedded Postgres needs glibc, which Alpine and NixOS lack: set DATABASE_URL.',
      )
    })
    fs.rmSync(data, { recursive: true, force: true })
    fs.renameSync(unfinished, data)
  } finally {
    fs.rmSync(passwordFile, { force: true })
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
}
