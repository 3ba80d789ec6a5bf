import fs from 'node:fs'
import path from 'node:path'

/** Postgres refuses to run as root. */
export interface ServerUser {
  uid: number
  gid: number
}

/** Every Linux and every Node image has at least one. */
const ACCOUNTS = ['postgres', 'nobody', 'daemon', 'node']

function accounts(): Map<string, ServerUser> {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      // macOS writes the ids of `nobody` as negative numbers.
      return [name, { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
    }),
  )
}

/** Undefined for the current account. For root: the owner of existing data, else an unprivileged account. */
export function serverUser(data: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = fs.statSync(data, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const existing = accounts()
  const user = ACCOUNTS.map((name) => existing.get(name)).find((entry) => entry && entry.uid > 0)
  if (!user)
    throw new Error(
      `Postgres cannot run as root: create one of the accounts ${ACCOUNTS.join(', ')}`,
    )
  return user
}

function allows(file: string, user: ServerUser, bit: number): boolean {
  const stat = fs.statSync(file)
  if (stat.uid === user.uid) return Boolean(stat.mode & (bit << 6))
  if (stat.gid === user.gid) return Boolean(stat.mode & (bit << 3))
  return Boolean(stat.mode & bit)
}

export function canReach(user: ServerUser, folder: string): boolean {
  let current = fs.realpathSync(folder)
  while (allows(current, user, 1)) {
    if (current === path.dirname(current)) return true
    current = path.dirname(current)
  }
  return false
}

export function canRead(user: ServerUser, file: string): boolean {
  return allows(file, user, 4) && canReach(user, path.dirname(file))
}
