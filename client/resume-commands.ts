import { pendingCommands } from './commands/pending-commands.ts'
import { currentUser, memberIdAtom, store } from './data/member-data.ts'

let resumed = false

/**
 * Sends pending commands of the previous page load again, once per page load and under their
 * idempotency keys: they take effect once and the member sees their first answer.
 */
export async function resumeCommands(memberId: number): Promise<void> {
  const commands = resumed ? [] : pendingCommands(memberId)
  resumed = true
  if (commands.length === 0) return
  const { resumeMining } = await import('./screens/mine/mining-commands.ts')
  const { resumeClaims } = await import('./screens/tasks/task-commands.ts')
  const { resumeTeam } = await import('./screens/team/team-commands.ts')
  await Promise.all([
    resumeMining(commands),
    resumeClaims(memberId, commands),
    resumeTeam(commands),
  ])
}

/** Resumes commands as soon as the signed-in member is known. */
export function startResume(): () => void {
  const resume = () => {
    // The atom only signals a change; its value may lag behind the cache.
    const memberId = currentUser()?.id
    if (memberId !== undefined) void resumeCommands(memberId)
  }
  const stop = store.sub(memberIdAtom, resume)
  resume()
  return stop
}
