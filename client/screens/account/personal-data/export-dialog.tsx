import Download from 'lucide-react/icons/download'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { confirmBody } from '#contract/forms/confirm'
import type { User } from '#rules/members/account-snapshots'
import { downloadData } from './data-commands.ts'
import { PasswordForm } from './password-form.tsx'

/** The button that downloads all data of a member after they confirm their password. */
export function ExportDialog({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog label={t('data.export')} description={t('data.exportText')} icon={Download}>
      {(close) => (
        <PasswordForm
          username={user.username}
          initialValues={{ password: '' }}
          schema={confirmBody}
          act={downloadData}
          onDone={close}
        >
          {({ busy }) => (
            <Button
              type="submit"
              size="large"
              busy={busy}
              busyLabel={t('data.preparing')}
              className="w-full"
            >
              {t('data.download')}
            </Button>
          )}
        </PasswordForm>
      )}
    </ButtonDialog>
  )
}
