import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { PostgresHome } from '#scripts/embedded/postgres-home'
import type { ServerUser } from '#scripts/embedded/server-user'

/** What Postgres' programs get: no locale, no time zone and no working directory of the caller's. */
export const spawnOptions = (user: ServerUser | undefined) => ({
  ...user,
  cwd: path.parse(process.cwd()).root,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
})

function run(program: string, args: string[], user: ServerUser | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(user), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(program)} failed: ${output}`)),
    )
  })
}

/** Makes an empty cluster if there is none. It appears complete or not at all. */
export async function ensureCluster(initdb: string, { data, user, password }: PostgresHome) {
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
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  try {
    await run(initdb, [...args, '--no-sync'], user)
    fs.rmSync(data, { recursive: true, force: true })
    fs.renameSync(unfinished, data)
  } finally {
    fs.rmSync(passwordFile, { force: true })
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
}
