import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { ensurePeers } from '#trials/bench/harness/peers'
import type { FromLoadProcess, Load, LoadFigures } from './protocol.ts'

/** The load generator's process. */
export type LoadGenerator = {
  pid: number
  run(load: Load): Promise<LoadFigures>
  stop(): void
}

/** Starts the load generator. */
export async function startLoadGenerator(): Promise<LoadGenerator> {
  await ensurePeers()
  const child = fork(path.join(ROOT, 'trials/bench/load/load-process.ts'), [], {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  return {
    pid: child.pid ?? 0,
    async run(load) {
      child.send({ load })
      const [message] = (await once(child, 'message')) as [FromLoadProcess]
      if ('failed' in message) throw new Error(message.failed)
      return message.figures
    },
    stop: () => child.disconnect(),
  }
}
