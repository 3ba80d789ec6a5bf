import { atom } from 'jotai'
import { call, isSignedOut } from '#client/api.ts'
import { ACTIVITY_URL, recheckUser, refresh, store, WALLET_URL } from '#client/data.ts'
import { sendOnce } from '#client/idempotent.ts'
import { toast } from '#client/ui/toast.tsx'
import { REFERRAL_URL } from './referral-info.ts'
import { checkOutcome } from './team-view.ts'

/** Two buttons check the milestones: the one that was pressed is the one that is busy. */
export type TeamAction = 'check-reached' | 'check-reward' | 'generate' | 'apply'

/** What was pressed and is not answered yet. */
export const teamActionAtom = atom<TeamAction | null>(null)

/** Runs one action at a time, whatever is pressed meanwhile; false where it failed or did not run. */
async function perform(action: TeamAction, failure: string, run: () => Promise<boolean>) {
  if (store.get(teamActionAtom)) return false
  store.set(teamActionAtom, action)
  try {
    return await run()
  } catch (error) {
    if (isSignedOut(error)) recheckUser()
    const description = `${failure} Please try again later.`
    toast({ variant: 'destructive', title: 'Error!', description })
    return false
  } finally {
    store.set(teamActionAtom, null)
  }
}

/** Pays what the team has reached and was not paid for yet. */
export function checkMilestones(action: 'check-reached' | 'check-reward'): Promise<boolean> {
  return perform(action, 'Unable to check team milestones.', async () => {
    const outcome = await sendOnce((idempotencyKey) =>
      call('GET /api/referral/check-milestones', { idempotencyKey }),
    )
    toast(checkOutcome(outcome))
    await refresh(REFERRAL_URL, WALLET_URL, ACTIVITY_URL)
    return true
  })
}

export function generateCode(): Promise<boolean> {
  const failure = 'Unable to create referral code.'
  return perform('generate', failure, async () => {
    const { success } = await sendOnce((idempotencyKey) =>
      call('POST /api/referral/generate-code', { idempotencyKey }),
    )
    if (!success) throw new Error(failure)
    toast({ title: 'Success!', description: 'A new referral code has been created for you.' })
    // The member's own record carries the code too.
    recheckUser()
    await refresh(REFERRAL_URL)
    return true
  })
}

/** Applies somebody's code; a refusal is told in the server's words, and to the caller. */
export async function applyCode(code: string): Promise<string | null> {
  let refusal: string | null = null
  const body = { referralCode: code.trim() }
  await perform('apply', 'Unable to apply referral code.', async () => {
    const { success, message } = await sendOnce((idempotencyKey) =>
      call('POST /api/referral/apply-code', { body, idempotencyKey }),
    )
    if (success) {
      toast({ title: 'Success!', description: message })
      await refresh(REFERRAL_URL)
      return true
    }
    refusal = message
    toast({ variant: 'destructive', title: 'Failed!', description: message })
    return false
  })
  return refusal
}
