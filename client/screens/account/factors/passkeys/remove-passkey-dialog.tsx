import Trash2 from 'lucide-react/icons/trash'
import { useTranslation } from 'react-i18next'
import { PasswordDialog } from '#client/screens/account/personal-data/password-dialog.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import type { Passkey } from '#rules/members/account-snapshots'
import { removePasskey } from './passkey-commands.ts'

type RemovePasskeyDialogProps = { passkey: Passkey; username: string }

/** The button that removes a passkey, behind a dialog that asks for the password. */
export function RemovePasskeyDialog({ passkey, username }: RemovePasskeyDialogProps) {
  const { t } = useTranslation('account')
  const title = t('factors.passkeys.removeNamed', { name: passkey.name })
  return (
    <PasswordDialog
      title={title}
      description={t('factors.passkeys.removeText')}
      username={username}
      confirm={t('factors.passkeys.remove')}
      act={(password) => removePasskey({ password, passkeyId: passkey.id })}
      trigger={
        <Button variant="ghost" size="icon" aria-label={title}>
          <Trash2 aria-hidden="true" className="size-4" />
        </Button>
      }
    />
  )
}
