import { ApiError, call } from '#client/data/api.ts'
import { errorText, i18n } from '#client/language/language.ts'
import { handleFailure } from '#client/screens/account/password-form.tsx'
import { createPasskey, PasskeyError } from '#client/sign-in/passkey-device.ts'
import type { FormOutcome } from '#client/ui/forms/formik-form.tsx'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import type { Answers, BodyOf } from '#contract/routes'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { refreshFactors, showFactors } from './factors.ts'

/** Shows a wrong code at its field, and any other failure as all changes of the account do. */
function codeFailed(title: string, error: unknown): FormOutcome {
  const { answer } = error instanceof ApiError ? error : {}
  if (answer?.code === 'second_factor_invalid') {
    return { done: false, fields: { code: errorText(answer) } }
  }
  return handleFailure(title, error)
}

/** Runs a change and gives what the server answers to `onDone`. */
async function changeApp<T>(
  send: () => Promise<T>,
  failure: string,
  onDone: (answer: T) => void,
): Promise<FormOutcome> {
  try {
    onDone(await send())
    void refreshFactors()
    return { done: true }
  } catch (error) {
    return codeFailed(failure, error)
  }
}

export type SetUp = Answers['POST /api/user/authenticator/set-up']
type Shown = (codes: string[]) => void

/** Makes a secret for an app. */
export function setUpApp(
  body: BodyOf<'POST /api/user/authenticator/set-up'>,
  onDone: (made: SetUp) => void,
): Promise<FormOutcome> {
  const send = () => call('POST /api/user/authenticator/set-up', { body })
  return changeApp(send, i18n.t('account:factors.app.notOn'), onDone)
}

/** Switches the codes on by the first one. */
export function confirmApp(
  body: BodyOf<'POST /api/user/authenticator/confirm'>,
  onDone: Shown,
): Promise<FormOutcome> {
  const send = () => call('POST /api/user/authenticator/confirm', { body })
  return changeApp(send, i18n.t('account:factors.app.notOn'), ({ recoveryCodes }) =>
    onDone(recoveryCodes),
  )
}

/** Replaces the recovery codes. */
export function renewCodes(
  body: BodyOf<'POST /api/user/authenticator/recovery-codes'>,
  onDone: Shown,
): Promise<FormOutcome> {
  const send = () => call('POST /api/user/authenticator/recovery-codes', { body })
  return changeApp(send, i18n.t('account:factors.app.notRenewed'), ({ recoveryCodes }) =>
    onDone(recoveryCodes),
  )
}

/** Switches the codes off. */
export function turnOffApp(
  body: BodyOf<'POST /api/user/authenticator/remove'>,
): Promise<FormOutcome> {
  const send = () => call('POST /api/user/authenticator/remove', { body })
  return changeApp(send, i18n.t('account:factors.app.notOff'), () =>
    toast({ title: i18n.t('account:factors.app.isOff') }),
  )
}

type Titles = { done: string; failed: string }

/** Runs a change, shows what the server answers, and reports it in a toast. */
async function changePasskeys(
  send: () => Promise<SignInFactors>,
  titles: Titles,
): Promise<FormOutcome> {
  try {
    showFactors(await send())
    toast({ title: titles.done })
    return { done: true }
  } catch (error) {
    if (!(error instanceof PasskeyError)) return codeFailed(titles.failed, error)
    showError(titles.failed, i18n.t(`account:factors.passkeys.problem.${error.problem}`))
    return { done: false }
  }
}

type NewPasskey = { password: string; code: string; name: string }

/** Adds a passkey: the password, a code if one-time codes are on, then the dialog of the browser. */
export async function addPasskey({ password, code, name }: NewPasskey): Promise<FormOutcome> {
  let isCodeUsed = false
  const send = async () => {
    const proof = code === '' ? { password } : { password, code }
    const { options } = await call('POST /api/user/passkeys/options', { body: proof })
    isCodeUsed = code !== ''
    const body = { ...(await createPasskey(options)), name }
    return call('POST /api/user/passkeys', { body })
  }
  const outcome = await changePasskeys(send, {
    done: i18n.t('account:factors.passkeys.isAdded'),
    failed: i18n.t('account:factors.passkeys.notAdded'),
  })
  // Codes that were switched on elsewhere meanwhile: the dialog then shows the field.
  if (!outcome.done && outcome.fields?.code) void refreshFactors()
  if (outcome.done || outcome.fields || !isCodeUsed) return outcome
  // The browser made no passkey, or the server did not take it.
  return { done: false, fields: { code: i18n.t('account:factors.passkeys.newCode') } }
}

/** Renames a passkey. */
export function renamePasskey(body: BodyOf<'POST /api/user/passkeys/rename'>) {
  return changePasskeys(() => call('POST /api/user/passkeys/rename', { body }), {
    done: i18n.t('account:factors.passkeys.renamed'),
    failed: i18n.t('account:factors.passkeys.notRenamed'),
  })
}

/** Removes a passkey. */
export function removePasskey(body: BodyOf<'POST /api/user/passkeys/remove'>) {
  return changePasskeys(() => call('POST /api/user/passkeys/remove', { body }), {
    done: i18n.t('account:factors.passkeys.removed'),
    failed: i18n.t('account:factors.passkeys.notRemoved'),
  })
}
