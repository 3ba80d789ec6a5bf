import { call, mayHaveWorked } from '#client/data/api.ts'
import { receiveAnswer } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { i18n } from '#client/language/language.ts'
import { createPasskey, PasskeyError } from '#client/sign-in/passkey-device.ts'
import { type FormOutcome, handleFailure, outcomeOf } from '#client/ui/forms/formik-form.tsx'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import type { Answers, BodyOf } from '#contract/routes'
import type { SignInFactors } from '#rules/members/account-snapshots'

/** The outcome of a change is unknown: a toast says so, and the panel shows the current state. */
function isUnknown(advice: 'seeBelow' | 'notOn' | 'notRenewed'): FormOutcome {
  void refresh('/api/user/factors')
  showError(i18n.t('account:factors.unknown.title'), i18n.t(`account:factors.unknown.${advice}`))
  return { done: false }
}

async function changeApp<T>(
  sent: Promise<T>,
  failed: 'notOn' | 'notRenewed' | 'notOff',
  onDone: (answer: T) => void,
): Promise<FormOutcome> {
  try {
    onDone(await sent)
    void refresh('/api/user/factors')
    return { done: true }
  } catch (error) {
    if (mayHaveWorked(error)) return isUnknown(failed === 'notOff' ? 'seeBelow' : failed)
    return handleFailure(i18n.t(`account:factors.app.${failed}`), error)
  }
}

export type SetUp = Answers['POST /api/user/authenticator/set-up']
type Shown = (codes: string[]) => void

/** Nothing is on before the first code of the secret. */
export const setUpApp = (
  body: BodyOf<'POST /api/user/authenticator/set-up'>,
  onDone: (made: SetUp) => void,
) =>
  outcomeOf(i18n.t('account:factors.app.notOn'), async () =>
    onDone(await call('POST /api/user/authenticator/set-up', { body })),
  )

export const confirmApp = (body: BodyOf<'POST /api/user/authenticator/confirm'>, onDone: Shown) =>
  changeApp(call('POST /api/user/authenticator/confirm', { body }), 'notOn', (made) =>
    onDone(made.recoveryCodes),
  )

export const renewCodes = (
  body: BodyOf<'POST /api/user/authenticator/recovery-codes'>,
  onDone: Shown,
) =>
  changeApp(call('POST /api/user/authenticator/recovery-codes', { body }), 'notRenewed', (made) =>
    onDone(made.recoveryCodes),
  )

export const turnOffApp = (body: BodyOf<'POST /api/user/authenticator/remove'>) =>
  changeApp(call('POST /api/user/authenticator/remove', { body }), 'notOff', () =>
    toast({ title: i18n.t('account:factors.app.isOff') }),
  )

async function changePasskeys(
  sent: Promise<SignInFactors>,
  done: 'isAdded' | 'renamed' | 'removed',
  failed: 'notAdded' | 'notRenamed' | 'notRemoved',
): Promise<FormOutcome> {
  try {
    await receiveAnswer('/api/user/factors', sent)
    toast({ title: i18n.t(`account:factors.passkeys.${done}`) })
    return { done: true }
  } catch (error) {
    const title = i18n.t(`account:factors.passkeys.${failed}`)
    if (!(error instanceof PasskeyError)) {
      return mayHaveWorked(error) ? isUnknown('seeBelow') : handleFailure(title, error)
    }
    showError(title, i18n.t(`account:factors.passkeys.problem.${error.problem}`))
    return { done: false }
  }
}

type NewPasskey = { password: string; code: string; name: string }

export async function addPasskey({ password, code, name }: NewPasskey): Promise<FormOutcome> {
  let isCodeUsed = false
  const send = async () => {
    const proof = code === '' ? { password } : { password, code }
    const { options } = await call('POST /api/user/passkeys/options', { body: proof })
    isCodeUsed = code !== ''
    const body = { ...(await createPasskey(options)), name }
    return call('POST /api/user/passkeys', { body })
  }
  const outcome = await changePasskeys(send(), 'isAdded', 'notAdded')
  // One-time codes were switched on elsewhere meanwhile: the refresh shows their field.
  if (!outcome.done && outcome.fields?.code) void refresh('/api/user/factors')
  if (outcome.done || outcome.fields || !isCodeUsed) return outcome
  // The code is used, but the browser made no passkey or the server refused it.
  return { done: false, fields: { code: i18n.t('account:factors.passkeys.newCode') } }
}

export const renamePasskey = (body: BodyOf<'POST /api/user/passkeys/rename'>) =>
  changePasskeys(call('POST /api/user/passkeys/rename', { body }), 'renamed', 'notRenamed')

export const removePasskey = (body: BodyOf<'POST /api/user/passkeys/remove'>) =>
  changePasskeys(call('POST /api/user/passkeys/remove', { body }), 'removed', 'notRemoved')
