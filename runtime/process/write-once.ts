import fs from 'node:fs'
import path from 'node:path'

/**
 * The content of a file that is written once and readable by its owner only. link(2) fails if the
 * file exists, so concurrent callers all get the text of the first one.
 */
export function writeOnce(file: string, text: () => string): string {
  if (!fs.existsSync(file)) {
    const draft = `${file}.${process.pid}`
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(draft, text(), { mode: 0o600 })
    try {
      fs.linkSync(draft, file)
    } catch (error) {
      if (!fs.existsSync(file)) throw error
    } finally {
      fs.rmSync(draft, { force: true })
    }
  }
  return fs.readFileSync(file, 'utf8')
}
