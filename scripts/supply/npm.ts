import { spawn } from 'node:child_process'
import { ROOT } from '#runtime/process/root'

/**
 * What npm prints for these arguments, whatever its exit code: `npm outdated` fails if anything is behind.
 * @throws {Error} with npm's messages if it printed nothing
 */
export async function npmOutput(...args: string[]): Promise<string> {
  const cli = process.env.npm_execpath ?? ''
  const byNode = /npm-cli\.js$/.test(cli)
  const child = spawn(byNode ? process.execPath : 'npm', [...(byNode ? [cli] : []), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && !byNode,
  })
  const read = async (stream: NodeJS.ReadableStream) => {
    let text = ''
    for await (const chunk of stream) text += chunk
    return text
  }
  const [output, errors] = await Promise.all([read(child.stdout), read(child.stderr)])
  if (!output.trim()) throw new Error(`npm ${args[0]} printed nothing:\n${errors}`)
  return output
}
