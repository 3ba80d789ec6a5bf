import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** One role as operators run it: a process of its own. */
export type RoleProcess = {
  /** Rejects, with what it said, where the process ends instead. */
  ready: Promise<void>
  kill(signal: NodeJS.Signals): void
  /** Code, or the signal that ended it. */
  ended: Promise<number | string>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>
  /** The last of what it wrote. */
  said(): string
}

const READY = { gateway: 'gateway is ready', workers: 'workers are ready' } as const

/** Starts a role with exactly that environment. */
export function roleProcess(role: keyof typeof READY, env: NodeJS.ProcessEnv): RoleProcess {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', `${role}/main.ts`], {
    // Vitest runs in the folder of the repository.
    cwd: process.cwd(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
  })
  let said = ''
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-8_000)
      if (said.includes(READY[role])) resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', () => reject(new Error(`${role} ended: ${said}`)))
  })
  ready.catch(() => {})
  const ended: Promise<number | string> = once(child, 'exit').then(
    ([code, signal]) => code ?? signal,
  )
  return {
    ready,
    ended,
    kill: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal)
      await ended
    },
    said: () => said,
  }
}
