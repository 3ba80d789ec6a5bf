import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from '#runtime/process/root'

/**
 * Runs an npm command of the product with exactly this environment, plus PATH, and returns what
 * it prints.
 * @throws {Error} with the output if it fails
 */
export async function runCommand(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  root = ROOT,
): Promise<string> {
  const program = ['scripts/run.mjs', name, ...args]
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${output.trim()}`)
  return output.trim()
}
