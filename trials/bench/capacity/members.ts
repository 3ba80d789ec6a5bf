import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import type { FromMembers, Joining, MemberFigures, ToMembers } from './protocol.ts'

/** Thousands of members in a process of their own. */
export type Members = {
  pid: number
  /** Resolves when all of them have their screen. */
  join(joining: Joining): Promise<void>
  /** Figures of the time that `work` takes. */
  during(work: () => Promise<unknown>): Promise<MemberFigures>
  stop(): void
}

/** Starts the load generator. */
export function startMembers(): Members {
  const child = fork(path.join(ROOT, 'trials/bench/capacity/members-process.ts'), [], {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  failed.catch(() => {})
  const send = (message: ToMembers) => void child.send(message)
  const answer = async () => (await Promise.race([once(child, 'message'), failed]))[0]
  return {
    pid: child.pid ?? 0,
    async join(joining) {
      send({ join: joining })
      await answer()
    },
    async during(work) {
      send('reset')
      await work()
      send('read')
      const message: FromMembers = await answer()
      if (message === 'joined') throw new Error('members joined while they were measured')
      return message.figures
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
