import { newIdempotencyKey } from '#client/commands/retry.ts'
import { call, mayHaveWorked } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { handleFailure, type Outcome } from '#client/screens/account/personal-data/data-commands.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { BodyOf } from '#contract/routes'
import { refreshSignIns } from './sign-ins.ts'

/** Runs a request, reports it in a toast and reads the list of sign-ins again. */
async function run(
  send: () => Promise<unknown>,
  titles: { done: string; failed: string },
): Promise<Outcome> {
  try {
    await send()
    toast({ title: titles.done })
    void refreshSignIns()
    return { done: true }
  } catch (error) {
    return handleFailure(titles.failed, error)
  }
}

/** Ends one other sign-in of the member. */
export function endSignIn(body: BodyOf<'POST /api/user/sign-ins/end'>): Promise<Outcome> {
  return run(() => call('POST /api/user/sign-ins/end', { body }), {
    done: i18n.t('account:signIns.ended'),
    failed: i18n.t('account:signIns.notEnded'),
  })
}

/** Ends every sign-in of the member but this one. */
export function endOtherSignIns(
  body: BodyOf<'POST /api/user/sign-ins/end-others'>,
): Promise<Outcome> {
  return run(() => call('POST /api/user/sign-ins/end-others', { body }), {
    done: i18n.t('account:signIns.othersEnded'),
    failed: i18n.t('account:signIns.othersNotEnded'),
  })
}

/**
 * Changes the password. After a lost answer the request is sent once more under the same key. It never
 * waits for the network as other commands do: the device would have to store both passwords.
 */
export function changePassword({
  password,
  newPassword,
}: BodyOf<'POST /api/user/password'>): Promise<Outcome> {
  const idempotencyKey = newIdempotencyKey()
  const body = { password, newPassword }
  const send = () => call('POST /api/user/password', { body, idempotencyKey })
  const repeat = (error: unknown) => {
    if (!mayHaveWorked(error)) throw error
    return send()
  }
  return run(() => send().catch(repeat), {
    done: i18n.t('account:signIns.passwordChanged'),
    failed: i18n.t('account:signIns.passwordNotChanged'),
  })
}
