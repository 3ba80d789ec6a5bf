import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { addPasskeyForm } from '#contract/forms/passkeys'
import { addPasskey } from './passkey-commands.ts'

type AddPasskeyDialogProps = {
  username: string
  /** Proposed name of the passkey. */
  name: string
}

/** The button that adds a passkey, behind a dialog that asks for the password and a name. */
export function AddPasskeyDialog({ username, name }: AddPasskeyDialogProps) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog
      label={t('factors.passkeys.add')}
      description={t('factors.passkeys.addText')}
      icon={Fingerprint}
    >
      {(close) => (
        <PasswordForm
          username={username}
          initialValues={{ password: '', name }}
          schema={addPasskeyForm}
          act={addPasskey}
          onDone={close}
        >
          {({ busy }) => (
            <>
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
