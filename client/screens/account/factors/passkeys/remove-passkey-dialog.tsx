import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { confirmBody } from '#contract/forms'
import type { Passkey } from '#rules/snapshots'
import { removePasskey } from './passkey-commands.ts'

type RemovePasskeyDialogProps = { passkey: Passkey; username: string }

/** The button that removes a passkey, behind a dialog that asks for the password. */
export function RemovePasskeyDialog({ passkey, username }: RemovePasskeyDialogProps) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  const title = t('factors.passkeys.removeNamed', { name: passkey.name })
  return (
    <Dialog
      title={title}
      description={t('factors.passkeys.removeText')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="icon" aria-label={title}>
          <Trash2 aria-hidden="true" className="size-4" />
        </Button>
      }
    >
      <PasswordForm
        username={username}
        initialValues={{ password: '' }}
        schema={confirmBody}
        act={({ password }) => removePasskey({ password, passkeyId: passkey.id })}
        onDone={() => setOpen(false)}
      >
        {({ busy }) => (
          <Button type="submit" variant="destructive" size="large" busy={busy} className="w-full">
            {t('factors.passkeys.remove')}
          </Button>
        )}
      </PasswordForm>
    </Dialog>
  )
}
