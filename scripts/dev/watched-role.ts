import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from '#runtime/process/root'

const KILL_AFTER_MS = 25_000

/** A role that is restarted when one of the files it imports changes. */
export interface WatchedRole {
  close(): Promise<void>
}

/** Starts `gateway/main.ts` or `workers/main.ts` under `tsx watch`. */
export function startWatchedRole(
  role: 'gateway' | 'workers',
  env: NodeJS.ProcessEnv,
  ended: (code: number | null) => void,
): WatchedRole {
  const watch = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false']
  const child = spawn(
    process.execPath,
    // The channel closes when this process dies, and the watcher stops with it.
    ['--import', './runtime/process/lifetime/stop-with-parent.mjs', ...watch, `${role}/main.ts`],
    { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  let closing = false
  child.once('exit', (code) => closing || ended(code))
  return {
    close: async () => {
      closing = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      child.kill('SIGTERM')
      await exited
      clearTimeout(timer)
    },
  }
}
