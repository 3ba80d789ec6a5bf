import { type ReactElement, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Outcome } from '#client/screens/account/personal-data/data-commands.ts'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { endOthersBody } from '#contract/forms'

type SignOutDialogProps = {
  title: string
  description: string
  /** The button that opens the dialog. */
  trigger: ReactElement
  /** Name of the account, for password managers. */
  username: string
  end: (password: string) => Promise<Outcome>
}

/** Confirms the end of other sign-ins by the member's password. */
export function SignOutDialog(props: SignOutDialogProps) {
  const { t } = useTranslation('account')
  const { title, description, trigger, username, end } = props
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={title}
      description={description}
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
    >
      <PasswordForm
        username={username}
        initialValues={{ password: '' }}
        schema={endOthersBody}
        act={({ password }) => end(password)}
        onDone={() => setOpen(false)}
      >
        {({ busy }) => (
          <Button type="submit" variant="destructive" size="large" busy={busy} className="w-full">
            {t('signIns.signOut')}
          </Button>
        )}
      </PasswordForm>
    </Dialog>
  )
}
