import { forgetCommands } from '#client/commands/pending-commands.ts'
import { forgetTasks } from '#client/screens/tasks/remembered-tasks.ts'

/**
 * Forgets what the device keeps of a member beyond their sign-in, once the account is gone. What was
 * shown last goes with the sign-in itself; the shell for a start without a network holds nobody's.
 */
export function forgetMember(memberId: number): void {
  forgetTasks(memberId)
  forgetCommands(memberId)
}
