import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

/** Emits this event to every socket. */
export type BareCommand = { event: string; payload: unknown }

/** A bare Socket.IO server of the product's version in a process of its own. */
export type BareServer = {
  port: number
  pid: number
  emitToAll(command: BareCommand): void
  stop(): Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const child = fork(path.join(ROOT, 'trials/bench/sockets/bare-server-process.ts'), {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    pid: child.pid ?? 0,
    emitToAll: (command) => void child.send(command),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
