import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { exportBody } from '#contract/forms'
import type { User } from '#rules/snapshots'
import { downloadData } from './data-commands.ts'
import { PasswordForm } from './password-form.tsx'

/** The button that downloads all data of a member after they confirm their password. */
export function ExportDialog({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={t('data.export')}
      description={t('data.exportText')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary">
          <Download aria-hidden="true" className="size-4" />
          {t('data.export')}
        </Button>
      }
    >
      <PasswordForm
        username={user.username}
        initialValues={{ password: '' }}
        schema={exportBody}
        act={downloadData}
        onDone={() => setOpen(false)}
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
    </Dialog>
  )
}
