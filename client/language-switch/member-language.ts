import { call, isSignedOut, messageOf } from '#client/data/api.ts'
import { currentUser, memberIdAtom, recheckUser, setUser, store } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { Language } from '#rules/members/languages'
import { chosenLanguage, keepChoice, showLanguage } from './language-choice.ts'

function showFailure(title: string, description?: string): void {
  toast({ title, variant: 'destructive', ...(description && { description }) })
}

/** Stores the language of the signed-in member's mails. */
async function saveLanguage(language: Language): Promise<void> {
  const updated = await call('PATCH /api/user/profile', { body: { language } })
  if (currentUser()?.id === updated.id) setUser(updated)
}

/** Shows a language and keeps it: on this device, and for the mails of a signed-in member. */
export async function chooseLanguage(language: Language): Promise<void> {
  if (!(await showLanguage(language))) return showFailure(i18n.t('language.notLoaded'))
  keepChoice(language)
  if (!currentUser() || currentUser()?.language === language) return
  try {
    await saveLanguage(language)
  } catch (error) {
    if (isSignedOut(error)) recheckUser()
    showFailure(i18n.t('language.notSaved'), messageOf(error, i18n.t('noAnswer')))
  }
}

/** A device without a choice shows the member's language; a member without one gets the device's. */
async function joinLanguages(): Promise<void> {
  const user = currentUser()
  const chosen = chosenLanguage()
  if (!user) return
  if (chosen === undefined && user.language) await showLanguage(user.language)
  // Not a member's action: if it fails, the next sign-in tries again.
  if (chosen !== undefined && user.language === null) await saveLanguage(chosen).catch(() => {})
}

/** Follows the sign-in until the returned function. */
export function followMemberLanguage(): () => void {
  void joinLanguages()
  return store.sub(memberIdAtom, () => void joinLanguages())
}
