import { ApiError, call } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { refreshFactors } from '#client/screens/account/factors/factors.ts'
import { handleFailure, type Outcome } from '#client/screens/account/personal-data/data-commands.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { Answers, BodyOf } from '#contract/routes'

/** Shows a wrong code at its field, and any other failure as all changes of the account do. */
export function codeFailed(title: string, error: unknown): Outcome {
  const { answer } = error instanceof ApiError ? error : {}
  if (answer?.code === 'second_factor_invalid') {
    return { done: false, fields: { code: answer.message } }
  }
  return handleFailure(title, error)
}

/** Runs a change and gives what the server answers to `onDone`. */
async function run<T>(
  send: () => Promise<T>,
  failure: string,
  onDone: (answer: T) => void,
): Promise<Outcome> {
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
): Promise<Outcome> {
  const send = () => call('POST /api/user/authenticator/set-up', { body })
  return run(send, i18n.t('account:factors.app.notOn'), onDone)
}

/** Switches the codes on by the first one. */
export function confirmApp(
  body: BodyOf<'POST /api/user/authenticator/confirm'>,
  onDone: Shown,
): Promise<Outcome> {
  const send = () => call('POST /api/user/authenticator/confirm', { body })
  return run(send, i18n.t('account:factors.app.notOn'), ({ recoveryCodes }) =>
    onDone(recoveryCodes),
  )
}

/** Replaces the recovery codes. */
export function renewCodes(
  body: BodyOf<'POST /api/user/authenticator/recovery-codes'>,
  onDone: Shown,
): Promise<Outcome> {
  const send = () => call('POST /api/user/authenticator/recovery-codes', { body })
  return run(send, i18n.t('account:factors.app.notRenewed'), ({ recoveryCodes }) =>
    onDone(recoveryCodes),
  )
}

/** Switches the codes off. */
export function turnOffApp(body: BodyOf<'POST /api/user/authenticator/remove'>): Promise<Outcome> {
  const send = () => call('POST /api/user/authenticator/remove', { body })
  return run(send, i18n.t('account:factors.app.notOff'), () =>
    toast({ title: i18n.t('account:factors.app.isOff') }),
  )
}
