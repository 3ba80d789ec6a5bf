import { call } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { PasskeyError, signWithPasskey } from '#client/passkeys/passkey-device.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import { reportRejection, welcome } from './login.ts'

type PasskeyLogin = {
  /** Offers the passkeys in the list of the field instead of a dialog. */
  inField: boolean
  /** Read when the passkey is chosen. */
  rememberMe: () => boolean
}

function report(error: unknown, inField: boolean): void {
  if (!(error instanceof PasskeyError)) reportRejection(error)
  else if (!inField) {
    toast({
      title: i18n.t('auth:passkey.notUsed'),
      description: i18n.t('auth:passkey.usePassword'),
      variant: 'destructive',
    })
  }
}

/**
 * Logs in with a passkey. Resolves to whether the member is signed in; a list that nobody used shows no
 * failure.
 */
export async function logInWithPasskey({ inField, rememberMe }: PasskeyLogin): Promise<boolean> {
  let isChosen = false
  try {
    const { options } = await call('POST /api/passkey/options')
    const signed = await signWithPasskey(options, { inField })
    isChosen = true
    const body = { ...signed, rememberMe: rememberMe() }
    welcome(await call('POST /api/passkey/login', { body }))
    return true
  } catch (error) {
    // The list of a field is an offer: without the server, the form itself still works.
    if (!inField || isChosen) report(error, inField)
    return false
  }
}
