import { navigate } from 'wouter/use-browser-location'
import { ApiError, call, callWithHeaders, isSignedOut, mayHaveWorked } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { showFailure } from '#client/screens/account/profile-commands.ts'
import { signOutHere } from '#client/sign-in/sign-in.ts'
import { fileNameIn, saveFile } from '#client/ui/save-file.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { BodyOf } from '#contract/routes'
import { MINUTE_MS } from '#rules/constants'

/** Years of activity and documents are slow to download on a slow network. */
const EXPORT_TIMEOUT_MS = 5 * MINUTE_MS

/** Messages by field name. */
export type FieldErrors = Record<string, string>
/** `fields` is absent when a toast has reported the failure. */
export type Outcome = { done: true } | { done: false; fields?: FieldErrors }

/** Returns the errors that belong to fields; shows all other errors in a toast. */
export function handleFailure(title: string, error: unknown): Outcome {
  const { answer } = error instanceof ApiError ? error : {}
  if (answer?.code === 'wrong_password') {
    return { done: false, fields: { password: answer.message } }
  }
  if (answer?.fields) return { done: false, fields: answer.fields }
  showFailure(title, error)
  return { done: false }
}

/** Downloads all stored data of the member as a JSON file. */
export async function downloadData(body: BodyOf<'POST /api/user/export'>): Promise<Outcome> {
  try {
    const { answer, headers } = await callWithHeaders('POST /api/user/export', {
      body,
      timeoutMs: EXPORT_TIMEOUT_MS,
    })
    const name = fileNameIn(headers) ?? 'tesp-network-data.json'
    saveFile(name, JSON.stringify(answer, null, 2))
    toast({ title: i18n.t('account:data.downloaded'), description: name })
    return { done: true }
  } catch (error) {
    return handleFailure(i18n.t('account:data.notDownloaded'), error)
  }
}

/** Whether the account no longer exists; false if the server does not answer. */
async function isGone(): Promise<boolean> {
  try {
    await call('GET /api/user')
    return false
  } catch (error) {
    return isSignedOut(error)
  }
}

/** Deletes the account permanently and signs out; the route guards then show /auth. */
export async function deleteAccount(body: BodyOf<'POST /api/user/delete'>): Promise<Outcome> {
  try {
    await signOutHere(async () => {
      try {
        await call('POST /api/user/delete', { body })
      } catch (error) {
        // The deletion may have succeeded without an answer.
        if (!mayHaveWorked(error) || !(await isGone())) throw error
      }
    }, 'account-deleted')
    // The next member to sign in must not be sent back to /account.
    navigate('/auth', { replace: true })
    toast({
      title: i18n.t('account:data.deletedTitle'),
      description: i18n.t('account:data.deleted'),
    })
    return { done: true }
  } catch (error) {
    return handleFailure(i18n.t('account:data.notDeleted'), error)
  }
}
