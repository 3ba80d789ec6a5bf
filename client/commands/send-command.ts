import { ApiError, mayHaveWorked } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { answered, type Press } from './pending-commands.ts'
import { sendOnce } from './retry.ts'

/**
 * Sends a press until it is answered. One that may have worked stays remembered, so that the page
 * that is loaded next sends it again.
 */
export async function sendPress<T>(
  memberId: number,
  pressed: Press,
  send: (idempotencyKey: string) => Promise<T>,
  onRetry: () => void,
): Promise<T> {
  /** Between two tries somebody else may have signed in, and would act without a press. */
  const sendAsMember = async (key: string) => {
    if (currentUser()?.id !== memberId) throw new ApiError(401, 'Signed out')
    return send(key)
  }
  try {
    const answer = await sendOnce(sendAsMember, onRetry, pressed.key)
    answered(memberId, pressed)
    return answer
  } catch (error) {
    if (!mayHaveWorked(error)) answered(memberId, pressed)
    throw error
  }
}
