import { spawn, spawnSync } from 'node:child_process'

const answers = (program: string, ...args: string[]) => {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { ok: status === 0, error: stderr?.trim().split('\n').at(-1) || `${program} is missing` }
}

/** Docker Compose as a plugin, or the older program; undefined if there is neither. */
function findCompose(): string[] | undefined {
  if (answers('docker', 'compose', 'version').ok) return ['docker', 'compose']
  if (answers('docker-compose', 'version').ok) return ['docker-compose']
  return undefined
}

/** Why containers cannot run here; undefined if they can. */
export function missingEngine(): string | undefined {
  const engine = answers('docker', 'version', '--format', '{{.Server.Version}}')
  if (!engine.ok) return `no container engine answers (${engine.error})`
  return findCompose() ? undefined : 'Docker Compose is not installed'
}

/**
 * Runs a program to its end and returns what it wrote to stdout.
 * @throws {Error} with everything it wrote, if it fails
 */
function output(program: string, args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(env && { env }) })
  let stdout = ''
  let all = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    all += chunk
  })
  child.stderr.on('data', (chunk) => {
    all += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(stdout.trim())
      else reject(new Error(`${program} ${args.join(' ')} exited with ${code}:\n${all}`))
    })
  })
}

/** Runs the Docker client. */
export const docker = (...args: string[]) => output('docker', args)

/** Runs Docker Compose with exactly this environment. */
export async function compose(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...first] = findCompose() ?? []
  return output(program, [...first, ...args], env)
}
