import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

type RunOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & {
  /** Default: the command line. */
  name?: string
}

/** Returns standard output; ends with this process. @throws {Error} with all output, if the program fails */
export async function run(
  program: string,
  args: string[],
  { name = [program, ...args].join(' '), ...options }: RunOptions = {},
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, all] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    all += chunk
  })
  child.stderr.on('data', (chunk) => {
    all += chunk
  })
  const kill = () => void child.kill()
  process.once('exit', kill)
  const [code] = await once(child, 'close').finally(() => process.off('exit', kill))
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${all.trim()}`)
  return stdout.trim()
}
