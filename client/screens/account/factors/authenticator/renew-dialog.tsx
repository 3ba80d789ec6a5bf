import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { passwordAndCodeBody } from '#contract/forms/confirm'
import { renewCodes } from './authenticator-commands.ts'
import { CodeField } from './code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type StepsProps = { username: string; close: () => void }

/** Password and code, then the new recovery codes. */
function Steps({ username, close }: StepsProps) {
  const { t } = useTranslation('account')
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) {
    return (
      <>
        <p className="mb-4 text-sm text-muted">{t('factors.app.step.codes')}</p>
        <RecoveryCodes codes={codes} onClose={close} />
      </>
    )
  }
  return (
    <PasswordForm
      username={username}
      initialValues={{ password: '', code: '' }}
      schema={passwordAndCodeBody}
      act={(body) => renewCodes(body, setCodes)}
      onDone={() => {}}
    >
      {({ busy }) => (
        <>
          <CodeField recovery />
          <Button type="submit" size="large" busy={busy} className="mt-2 w-full">
            {t('factors.recovery.renew')}
          </Button>
        </>
      )}
    </PasswordForm>
  )
}

/** The button that replaces the recovery codes, and its dialog, which shows the new ones. */
export function RenewDialog({ username }: { username: string }) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog
      label={t('factors.recovery.renew')}
      description={t('factors.recovery.renewText')}
      icon={RefreshCw}
    >
      {(close) => <Steps username={username} close={close} />}
    </ButtonDialog>
  )
}
