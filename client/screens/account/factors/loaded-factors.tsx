import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { useTranslation } from 'react-i18next'
import { dateText, dateTimeText } from '#client/format/dates.ts'
import { PasswordDialog, passwordOnly } from '#client/screens/account/password-form.tsx'
import { canUsePasskeys } from '#client/sign-in/can-use-passkeys.ts'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { addPasskeyForm, addPasskeyWithCodeForm, renamePasskeyBody } from '#contract/forms/passkeys'
import type { Passkey, SignInFactors } from '#rules/members/account-snapshots'
import { Authenticator } from './authenticator.tsx'
import { addPasskey, removePasskey, renamePasskey } from './factor-commands.ts'
import { CodeField } from './recovery-codes.tsx'

export function LoadedFactors({ factors }: { factors: SignInFactors }) {
  const { passkeys, authenticator } = factors
  const hasCodes = authenticator !== null
  const { t } = useTranslation('account')
  const name = t('factors.passkeys.defaultName', { number: passkeys.length + 1 })
  return (
    <>
      <h3 className="mt-5 text-sm font-medium">{t('factors.passkeys.title')}</h3>
      <p className="mt-1 text-sm text-muted">{t('factors.passkeys.text')}</p>
      <ul className="mt-3">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      {canUsePasskeys() ? (
        <div className="grid sm:block">
          <PasswordDialog
            key={name}
            label={t('factors.passkeys.add')}
            description={t(
              hasCodes ? 'factors.passkeys.addTextWithCode' : 'factors.passkeys.addText',
            )}
            icon={Fingerprint}
            initialValues={{ password: '', code: '', name }}
            validationSchema={hasCodes ? addPasskeyWithCodeForm : addPasskeyForm}
            submit={{ children: t('continue') }}
            onSubmit={addPasskey}
          >
            {hasCodes && <CodeField recovery />}
            <FormField
              name="name"
              label={t('factors.passkeys.name')}
              hint={t('factors.passkeys.nameHint')}
              autoComplete="off"
            />
          </PasswordDialog>
        </div>
      ) : (
        <p className="text-sm text-muted">{t('factors.passkeys.unsupported')}</p>
      )}
      <Authenticator authenticator={authenticator} />
    </>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('account')
  const { id, name, addedAt, lastUsedAt, backedUp } = passkey
  const used = lastUsedAt
    ? t('factors.passkeys.lastUsed', { date: dateTimeText(lastUsedAt) })
    : t('factors.passkeys.neverUsed')
  return (
    <li className="flex flex-wrap items-start justify-between gap-2 border-t border-line py-3">
      <div className="min-w-0 grow basis-36 text-sm">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="mt-0.5 text-muted">{used}</p>
        <p className="mt-0.5 text-muted">
          {t(backedUp ? 'factors.passkeys.addedSynced' : 'factors.passkeys.added', {
            date: dateText(addedAt),
          })}
        </p>
      </div>
      <div className="-mr-2 flex shrink-0">
        <ButtonDialog
          label={t('factors.passkeys.renameNamed', { name })}
          title={t('factors.passkeys.rename')}
          variant="ghost"
          size="icon"
          icon={Pencil}
        >
          {(close) => (
            <FormikForm
              initialValues={{ passkeyId: id, name }}
              validationSchema={renamePasskeyBody}
              onSubmit={renamePasskey}
              onDone={close}
            >
              <FormField name="name" label={t('factors.passkeys.name')} autoComplete="off" />
              <SubmitButton className="w-full">{t('save')}</SubmitButton>
            </FormikForm>
          )}
        </ButtonDialog>
        <PasswordDialog
          {...passwordOnly}
          label={t('factors.passkeys.removeNamed', { name })}
          description={t('factors.passkeys.removeText')}
          variant="ghost"
          size="icon"
          icon={Trash2}
          submit={{ variant: 'destructive', children: t('factors.passkeys.remove') }}
          onSubmit={({ password }) => removePasskey({ password, passkeyId: id })}
        />
      </div>
    </li>
  )
}
