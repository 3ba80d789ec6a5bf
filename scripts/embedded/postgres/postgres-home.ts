import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { writeOnce } from '#runtime/process/development-secrets'
import { makeOutside, OUTSIDE } from '#scripts/embedded/postgres/postgres-binaries'
import { canReach, type ServerUser, serverUser } from '#scripts/embedded/postgres/server-user'

export interface PostgresHome {
  data: string
  user: ServerUser | undefined
  password: string
}

const randomText = (bytes: number) => () => randomBytes(bytes).toString('base64url')

const isCluster = (folder: string) => fs.existsSync(path.join(folder, 'PG_VERSION'))

/** Named by path and random id, so neither a copied checkout nor a new one at the same path finds old data. */
function outsideFolder(dataDir: string): string {
  const id = writeOnce(path.join(dataDir, 'instance'), randomText(9))
  const name = createHash('sha256')
    .update(`${fs.realpathSync(dataDir)}\n${id}`)
    .digest('hex')
  return path.join(OUTSIDE, `data-${name.slice(0, 16)}`)
}

function moveOutside(from: string, to: string) {
  makeOutside()
  if (!isCluster(from)) return
  try {
    fs.renameSync(from, to)
  } catch {
    throw new Error(
      `The account of Postgres cannot reach ${from}: move it to ${to} or open the folder.`,
    )
  }
}

/** The data folder is inside `dataDir`, or in OUTSIDE if the server's account cannot reach that. */
export function postgresHome(dataDir: string): PostgresHome {
  const inside = path.join(dataDir, 'postgres')
  const password = writeOnce(path.join(dataDir, 'postgres.secret'), randomText(18))
  const user = serverUser(inside)
  if (!user) return { data: inside, user, password }

  const outside = outsideFolder(dataDir)
  if (!isCluster(outside)) {
    if (canReach(user, dataDir)) return { data: inside, user, password }
    moveOutside(inside, outside)
  }
  return { data: outside, user: serverUser(outside), password }
}

/** The servers must be stopped. */
export function removeDataDir(dataDir: string) {
  if (!fs.existsSync(dataDir)) return
  if (fs.existsSync(path.join(dataDir, 'instance'))) {
    fs.rmSync(outsideFolder(dataDir), { recursive: true, force: true })
  }
  fs.rmSync(dataDir, { recursive: true, force: true })
}
