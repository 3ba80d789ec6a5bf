import { ApiError, mayHaveWorked } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { forgetCommand, type PendingCommand } from './pending-commands.ts'
import { sendWithRetry } from './retry.ts'

/**
 * Sends a press until it is answered. One that may have worked stays remembered, so that the page
 * that is loaded next sends it again.
 */
export async function sendCommand<T>(
  memberId: number,
  pressed: PendingCommand,
  send: (idempotencyKey: string) => Promise<T>,
  onRetry: () => void,
): Promise<T> {
  /** Between two tries somebody else may have signed in, and would act without a press. */
  const sendAsMember = async (key: string) => {
    if (currentUser()?.id !== memberId) throw new ApiError(401, 'Signed out')
    return send(key)
  }
  try {
    const answer = await sendWithRetry(sendAsMember, onRetry, pressed.key)
    forgetCommand(memberId, pressed)
    return answer
  } catch (error) {
    if (!mayHaveWorked(error)) forgetCommand(memberId, pressed)
    throw error
  }
}
