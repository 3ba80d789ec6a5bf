import { navigate } from 'wouter/use-browser-location'
import { call } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import { signOutHere } from './sign-in.ts'

export async function signOut(): Promise<void> {
  try {
    await signOutHere(() => call('POST /api/logout')).catch((error) => {
      // The answer may be lost after the event has ended the sign-in here.
      if (currentUser()) throw error
    })
    // The next member to sign in must not be sent to the page of this one.
    navigate('/auth', { replace: true })
    toast({ title: i18n.t('signOut.doneTitle'), description: i18n.t('signOut.done') })
  } catch (error) {
    showFailure(i18n.t('signOut.failed'), error, i18n.t('unreachable'))
  }
}
