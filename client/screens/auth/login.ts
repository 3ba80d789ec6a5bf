import { atom } from 'jotai'
import { answerOf, call, messageOf } from '#client/data/api.ts'
import { setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { i18n } from '#client/language/language.ts'
import { PasskeyError, signWithPasskey } from '#client/sign-in/passkey-device.ts'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import type { BodyOf } from '#contract/routes'
import type { User } from '#rules/members/account-snapshots'

/** Why the account of the last login is frozen: a toast would be gone before it is read. */
export const frozenAtom = atom<string | null>(null)

/** The route guard leaves /auth as soon as the user is set. */
function welcome(user: User): void {
  store.set(frozenAtom, null)
  setUser(user)
  const { username } = user
  toast({ title: i18n.t('auth:loginDone'), description: i18n.t('auth:welcome', { username }) })
}

function reportRejection(error: unknown): string | undefined {
  const code = answerOf(error)?.code
  const description = messageOf(error, i18n.t('unreachable'))
  store.set(frozenAtom, code === 'account_frozen' ? description : null)
  showError(i18n.t('auth:loginFailed'), description)
  return code
}

/** Resolves to the code of the server's rejection; `second_factor_required` shows no failure. */
async function signIn(request: Promise<User>): Promise<string | undefined> {
  try {
    welcome(await request)
    return undefined
  } catch (error) {
    const code = answerOf(error)?.code
    return code === 'second_factor_required' ? code : reportRejection(error)
  }
}

export const logIn = (body: BodyOf<'POST /api/login'>) => signIn(call('POST /api/login', { body }))

export const enterCode = (code: string) =>
  signIn(call('POST /api/login/second-factor', { body: { code } }))

type PasskeyLogin = {
  /** Offers the passkeys in the list of the field instead of a dialog. */
  inField: boolean
  /** Read when the passkey is chosen. */
  rememberMe: () => boolean
  signal?: AbortSignal
}

export async function logInWithPasskey({
  inField,
  rememberMe,
  signal,
}: PasskeyLogin): Promise<boolean> {
  let isChosen = false
  try {
    const { options } = await call('POST /api/passkey/options', { signal })
    const signed = await signWithPasskey(options, { inField })
    isChosen = true
    const body = { ...signed, rememberMe: rememberMe() }
    welcome(await call('POST /api/passkey/login', { body }))
    return true
  } catch (error) {
    // The list of a field is only an offer: the form itself still works.
    if (inField && !isChosen) return false
    if (error instanceof PasskeyError) {
      showError(i18n.t('auth:passkey.notUsed'), i18n.t('auth:passkey.usePassword'))
    } else reportRejection(error)
    return false
  }
}
