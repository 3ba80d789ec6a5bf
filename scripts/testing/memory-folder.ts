import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

/** Free memory that a run asks for, bytes; the integration tests took 0.25 GB. */
const NEEDED_BYTES = 2 * 2 ** 30
/** Type of tmpfs in statfs(2). */
const TMPFS = 0x01021994

function isRoomy(folder: string): boolean {
  const { type, bavail, bsize } = fs.statfsSync(folder)
  return type === TMPFS && bavail * bsize >= NEEDED_BYTES
}

/**
 * The folder of this checkout in a file system in memory, for data that no one needs after the run;
 * undefined if there is none, or too little memory. On ext4 a new file costs the more CPU time the
 * more files were deleted before it, and a run creates and deletes a hundred thousand.
 */
export function memoryFolder(parent = '/dev/shm'): string | undefined {
  try {
    if (!isRoomy(parent)) return undefined
    const id = createHash('sha256').update(`${os.hostname()}\n${ROOT}`).digest('hex').slice(0, 16)
    const folder = path.join(parent, `tesp-tests-${process.getuid?.()}-${id}`)
    fs.mkdirSync(folder, { recursive: true })
    // Every account may write to the parent, so the folder could be another one's.
    const stat = fs.lstatSync(folder)
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return undefined
    // Postgres runs under another account if this process is root, regardless of the umask.
    fs.chmodSync(folder, 0o711)
    return folder
  } catch {
    return undefined
  }
}
