import { call } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { createPasskey, PasskeyError } from '#client/passkeys/passkey-device.ts'
import { showFactors } from '#client/screens/account/factors/factors.ts'
import { handleFailure, type Outcome } from '#client/screens/account/personal-data/data-commands.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { BodyOf } from '#contract/routes'
import type { SignInFactors } from '#rules/snapshots'

type Titles = { done: string; failed: string }

/** Runs a change, shows what the server answers, and reports it in a toast. */
async function run(send: () => Promise<SignInFactors>, titles: Titles): Promise<Outcome> {
  try {
    showFactors(await send())
    toast({ title: titles.done })
    return { done: true }
  } catch (error) {
    if (!(error instanceof PasskeyError)) return handleFailure(titles.failed, error)
    const description = i18n.t(`account:factors.passkeys.problem.${error.problem}`)
    toast({ title: titles.failed, description, variant: 'destructive' })
    return { done: false }
  }
}

/** Adds a passkey: the password, then the dialog of the browser. */
export function addPasskey({ password, name }: { password: string; name: string }) {
  const send = async () => {
    const { options } = await call('POST /api/user/passkeys/options', { body: { password } })
    const body = { ...(await createPasskey(options)), name }
    return call('POST /api/user/passkeys', { body })
  }
  return run(send, {
    done: i18n.t('account:factors.passkeys.isAdded'),
    failed: i18n.t('account:factors.passkeys.notAdded'),
  })
}

/** Renames a passkey. */
export function renamePasskey(body: BodyOf<'POST /api/user/passkeys/rename'>) {
  return run(() => call('POST /api/user/passkeys/rename', { body }), {
    done: i18n.t('account:factors.passkeys.renamed'),
    failed: i18n.t('account:factors.passkeys.notRenamed'),
  })
}

/** Removes a passkey. */
export function removePasskey(body: BodyOf<'POST /api/user/passkeys/remove'>) {
  return run(() => call('POST /api/user/passkeys/remove', { body }), {
    done: i18n.t('account:factors.passkeys.removed'),
    failed: i18n.t('account:factors.passkeys.notRemoved'),
  })
}
