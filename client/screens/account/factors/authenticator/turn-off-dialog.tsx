import ShieldOff from 'lucide-react/icons/shield-off'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { passwordAndCodeBody } from '#contract/forms/confirm'
import { turnOffApp } from './authenticator-commands.ts'
import { CodeField } from './code-field.tsx'

/** The button that switches one-time codes off, behind a dialog that asks for password and code. */
export function TurnOffDialog({ username }: { username: string }) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog
      label={t('factors.app.turnOff')}
      title={t('factors.app.turnOffTitle')}
      description={t('factors.app.turnOffText')}
      icon={ShieldOff}
      variant="destructive"
    >
      {(close) => (
        <PasswordForm
          username={username}
          initialValues={{ password: '', code: '' }}
          schema={passwordAndCodeBody}
          act={turnOffApp}
          onDone={close}
        >
          {({ busy }) => (
            <>
              <CodeField recovery />
              <Button
                type="submit"
                variant="destructive"
                size="large"
                busy={busy}
                className="mt-2 w-full"
              >
                {t('factors.app.turnOffTitle')}
              </Button>
            </>
          )}
        </PasswordForm>
      )}
    </ButtonDialog>
  )
}
