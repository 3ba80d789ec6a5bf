import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Runs git in a folder and returns what it printed.
 * @throws {Error} with the output of git, if it fails
 */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute('git', args, { cwd: folder })
  return stdout.trim()
}
