import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { useTranslation } from 'react-i18next'
import { CodeField } from '#client/screens/account/factors/authenticator/code-field.tsx'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { addPasskeyForm, addPasskeyWithCodeForm } from '#contract/forms/passkeys'
import { addPasskey } from './passkey-commands.ts'

type AddPasskeyDialogProps = {
  username: string
  /** Proposed name of the passkey. */
  name: string
  /** Whether one-time codes are on, so that adding takes one. */
  hasCodes: boolean
}

/** The button that adds a passkey, behind a dialog that asks for the password, a code and a name. */
export function AddPasskeyDialog({ username, name, hasCodes }: AddPasskeyDialogProps) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog
      label={t('factors.passkeys.add')}
      description={t(hasCodes ? 'factors.passkeys.addTextWithCode' : 'factors.passkeys.addText')}
      icon={Fingerprint}
    >
      {(close) => (
        <PasswordForm
          username={username}
          initialValues={{ password: '', code: '', name }}
          schema={hasCodes ? addPasskeyWithCodeForm : addPasskeyForm}
          act={addPasskey}
          onDone={close}
        >
          {({ busy }) => (
            <>
              {hasCodes && <CodeField recovery />}
              <FormField
                name="name"
                label={t('factors.passkeys.name')}
                hint={t('factors.passkeys.nameHint')}
                autoComplete="off"
              />
              <Button type="submit" size="large" busy={busy} className="mt-2 w-full">
                {t('factors.passkeys.continue')}
              </Button>
            </>
          )}
        </PasswordForm>
      )}
    </ButtonDialog>
  )
}
