import { pendingCommands } from './commands/pending-commands.ts'

let resumed = false

/**
 * Once after the page was loaded: what the member pressed just before, and nobody answered, is sent
 * again under its key, so that it takes effect once and its first answer is shown.
 */
export async function resumePresses(memberId: number): Promise<void> {
  const presses = resumed ? [] : pendingCommands(memberId)
  resumed = true
  if (presses.length === 0) return
  const { resumeMining } = await import('./screens/mine/mining-commands.ts')
  const { resumeClaims } = await import('./screens/tasks/task-commands.ts')
  const { resumeTeam } = await import('./screens/team/team-commands.ts')
  await Promise.all([resumeMining(presses), resumeClaims(memberId, presses), resumeTeam(presses)])
}
