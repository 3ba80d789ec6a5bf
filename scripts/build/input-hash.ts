import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

function filesIn(entry: string): string[] {
  const stat = fs.statSync(entry, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [entry]
  return fs
    .readdirSync(entry, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.join(found.parentPath, found.name))
    .sort()
}

/** SHA-256 over the names and contents of all files in `entries` (files or folders of `root`), in hex. */
export function inputHash(root: string, entries: string[]): string {
  const hash = createHash('sha256')
  for (const file of entries.flatMap((entry) => filesIn(path.join(root, entry)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}
