import KeyRound from 'lucide-react/icons/key-round'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { NewPasswordFields } from '#client/ui/forms/new-password-fields.tsx'
import { changePasswordForm } from '#contract/forms/confirm'
import type { User } from '#rules/members/account-snapshots'
import { changePassword } from './sign-in-commands.ts'

const blank = { password: '', newPassword: '', confirmPassword: '' }

/** The button that changes the password, behind a dialog that asks for the old one. */
export function ChangePasswordDialog({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog
      label={t('signIns.changePassword')}
      description={t('signIns.onlyHere')}
      icon={KeyRound}
    >
      {(close) => (
        <PasswordForm
          username={user.username}
          label={t('signIns.currentPassword')}
          initialValues={blank}
          schema={changePasswordForm}
          act={changePassword}
          onDone={close}
        >
          {({ busy }) => (
            <>
              <NewPasswordFields name="newPassword" label={t('signIns.newPassword')} />
              <Button type="submit" size="large" busy={busy} className="mt-2 w-full">
                {t('signIns.changePassword')}
              </Button>
            </>
          )}
        </PasswordForm>
      )}
    </ButtonDialog>
  )
}
