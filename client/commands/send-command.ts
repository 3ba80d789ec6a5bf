import { ApiError, mayHaveWorked } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { forgetCommand, type PendingCommand } from './pending-commands.ts'
import { sendWithRetry } from './retry.ts'

/** Sends the request of one command, with retries under its idempotency key. */
export type SubmitCommand = <T>(send: (idempotencyKey: string) => Promise<T>) => Promise<T>

/**
 * Sends a command until it is answered. A command whose outcome is unknown stays pending, so that
 * the next page load resumes it.
 */
export async function sendCommand<T>(
  memberId: number,
  command: PendingCommand,
  send: (idempotencyKey: string) => Promise<T>,
  onRetry: () => void,
): Promise<T> {
  /** Between two attempts another member may have signed in; the retry would act for them. */
  const sendAsMember = async (key: string) => {
    if (currentUser()?.id !== memberId) throw new ApiError(401, 'Signed out')
    return send(key)
  }
  try {
    const answer = await sendWithRetry(sendAsMember, onRetry, command.key)
    forgetCommand(memberId, command)
    return answer
  } catch (error) {
    if (!mayHaveWorked(error)) forgetCommand(memberId, command)
    throw error
  }
}
