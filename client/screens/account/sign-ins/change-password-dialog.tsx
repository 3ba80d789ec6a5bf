import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { NewPasswordFields } from '#client/ui/new-password-fields.tsx'
import { changePasswordForm } from '#contract/forms'
import type { User } from '#rules/snapshots'
import { changePassword } from './sign-in-commands.ts'

const blank = { password: '', newPassword: '', confirmPassword: '' }

/** The button that changes the password, behind a dialog that asks for the old one. */
export function ChangePasswordDialog({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={t('signIns.changePassword')}
      description={t('signIns.onlyHere')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary">
          <KeyRound aria-hidden="true" className="size-4" />
          {t('signIns.changePassword')}
        </Button>
      }
    >
      <PasswordForm
        username={user.username}
        label={t('signIns.currentPassword')}
        initialValues={blank}
        schema={changePasswordForm}
        act={changePassword}
        onDone={() => setOpen(false)}
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
    </Dialog>
  )
}
