import { call } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { createPasskey, PasskeyError } from '#client/passkeys/passkey-device.ts'
import { codeFailed } from '#client/screens/account/factors/authenticator/authenticator-commands.ts'
import { refreshFactors, showFactors } from '#client/screens/account/factors/factors.ts'
import type { Outcome } from '#client/screens/account/personal-data/data-commands.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { BodyOf } from '#contract/routes'
import type { SignInFactors } from '#rules/members/account-snapshots'

type Titles = { done: string; failed: string }

/** Runs a change, shows what the server answers, and reports it in a toast. */
async function run(send: () => Promise<SignInFactors>, titles: Titles): Promise<Outcome> {
  try {
    showFactors(await send())
    toast({ title: titles.done })
    return { done: true }
  } catch (error) {
    if (!(error instanceof PasskeyError)) return codeFailed(titles.failed, error)
    const description = i18n.t(`account:factors.passkeys.problem.${error.problem}`)
    toast({ title: titles.failed, description, variant: 'destructive' })
    return { done: false }
  }
}

type NewPasskey = { password: string; code: string; name: string }

/** Adds a passkey: the password, a code if one-time codes are on, then the dialog of the browser. */
export async function addPasskey({ password, code, name }: NewPasskey): Promise<Outcome> {
  let isCodeUsed = false
  const send = async () => {
    const proof = code === '' ? { password } : { password, code }
    const { options } = await call('POST /api/user/passkeys/options', { body: proof })
    isCodeUsed = code !== ''
    const body = { ...(await createPasskey(options)), name }
    return call('POST /api/user/passkeys', { body })
  }
  const outcome = await run(send, {
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
