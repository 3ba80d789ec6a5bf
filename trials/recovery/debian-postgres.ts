import fs from 'node:fs'
import path from 'node:path'

const VERSIONS = '/usr/lib/postgresql'
/** The oldest PostgreSQL that the product supports. */
const OLDEST = 15

/** Folder of the programs of the newest PostgreSQL that Debian's packages installed here. */
export function postgresPrograms(): string | undefined {
  if (!fs.existsSync(VERSIONS)) return undefined
  return fs
    .readdirSync(VERSIONS)
    .filter((version) => Number(version) >= OLDEST)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((bin) => fs.existsSync(path.join(bin, 'postgres')))
}

/** Why recovery cannot be tried here; undefined if it can. */
export const missingPostgres = (): string | undefined =>
  postgresPrograms() ? undefined : `PostgreSQL ${OLDEST} or newer is not installed`
