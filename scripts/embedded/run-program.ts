import { type SpawnOptions, spawn } from 'node:child_process'

/**
 * Runs a program to its end.
 * @throws {Error} `failure` and everything the program printed, if it fails
 */
export function runProgram(
  failure: string,
  program: string,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${failure}:\n${output}`)),
    )
  })
}
