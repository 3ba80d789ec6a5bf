import { navigate } from 'wouter/use-browser-location'
import { ApiError, call, callWithHeaders, isSignedOut, mayHaveWorked } from '#client/data/api.ts'
import { sayFailed } from '#client/screens/account/profile-actions.ts'
import { signOutHere } from '#client/sign-in/sign-in.ts'
import { toast } from '#client/ui/toast.tsx'
import type { BodyOf } from '#contract/routes'
import { MINUTE_MS } from '#rules/constants'
import { saveFile } from './save-file.ts'

/** Years of activity and documents take their time on a slow network. */
const EXPORT_TIMEOUT_MS = 5 * MINUTE_MS

/** What is wrong with which field; nothing for a failure that a toast has told. */
export type FieldErrors = Record<string, string>
export type Outcome = { done: true } | { done: false; fields?: FieldErrors }

/** A refusal that belongs to a field is shown there, all else in a toast. */
function failed(title: string, error: unknown): Outcome {
  const { answer } = error instanceof ApiError ? error : {}
  if (answer?.code === 'wrong_password') {
    return { done: false, fields: { password: answer.message } }
  }
  if (answer?.fields) return { done: false, fields: answer.fields }
  sayFailed(title, error)
  return { done: false }
}

const nameIn = (headers: Headers) =>
  /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ??
  'tesp-network-data.json'

/** Saves everything that is held about the member as a file. */
export async function downloadData(body: BodyOf<'POST /api/user/export'>): Promise<Outcome> {
  try {
    const { answer, headers } = await callWithHeaders('POST /api/user/export', {
      body,
      timeoutMs: EXPORT_TIMEOUT_MS,
    })
    const name = nameIn(headers)
    saveFile(name, JSON.stringify(answer, null, 2))
    toast({ title: 'Your data was downloaded', description: name })
    return { done: true }
  } catch (error) {
    return failed('Your data could not be downloaded', error)
  }
}

/** Whether the server does not know the member any more; where it is silent, it may. */
async function isGone(): Promise<boolean> {
  try {
    await call('GET /api/user')
    return false
  } catch (error) {
    return isSignedOut(error)
  }
}

/** Deletes the account for good; the guards lead to /auth. */
export async function deleteAccount(body: BodyOf<'POST /api/user/delete'>): Promise<Outcome> {
  try {
    await signOutHere(async () => {
      try {
        await call('POST /api/user/delete', { body })
      } catch (error) {
        // Only the answer may have been lost.
        if (!mayHaveWorked(error) || !(await isGone())) throw error
      }
    }, 'account-deleted')
    // Whoever signs in here next does not come back to the account of somebody else.
    navigate('/auth', { replace: true })
    toast({
      title: 'Account deleted',
      description: 'Your account is gone, and with it what said who you are.',
    })
    return { done: true }
  } catch (error) {
    return failed('Your account was not deleted', error)
  }
}
