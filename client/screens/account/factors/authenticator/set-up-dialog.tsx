import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#client/screens/account/personal-data/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { confirmBody } from '#contract/forms/confirm'
import { type SetUp, setUpApp } from './authenticator-commands.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { ScanStep } from './scan-step.tsx'

/** What the dialog shows: first the password, then the secret, at last the recovery codes. */
type Step = { at: 'password' } | ({ at: 'scan' } & SetUp) | { at: 'codes'; codes: string[] }

type SetUpDialogProps = { username: string; onOpenChange: (open: boolean) => void }

/**
 * The button that sets up an authenticator app, and its dialog. Its owner keeps it mounted until the
 * recovery codes were read.
 */
export function SetUpDialog({ username, onOpenChange }: SetUpDialogProps) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  const [step, setStep] = useState<Step>({ at: 'password' })
  function change(next: boolean) {
    setOpen(next)
    onOpenChange(next)
    if (!next) setStep({ at: 'password' })
  }
  return (
    <Dialog
      title={t(step.at === 'codes' ? 'factors.app.isOn' : 'factors.app.setUp')}
      description={t(`factors.app.step.${step.at}`)}
      open={open}
      onOpenChange={change}
      trigger={
        <Button variant="secondary" className="w-full sm:w-auto">
          <Smartphone aria-hidden="true" className="size-4" />
          {t('factors.app.setUp')}
        </Button>
      }
    >
      {step.at === 'password' && (
        <PasswordForm
          username={username}
          initialValues={{ password: '' }}
          schema={confirmBody}
          act={(body) => setUpApp(body, (made) => setStep({ at: 'scan', ...made }))}
          onDone={() => {}}
        >
          {({ busy }) => (
            <Button type="submit" size="large" busy={busy} className="w-full">
              {t('factors.app.next')}
            </Button>
          )}
        </PasswordForm>
      )}
      {step.at === 'scan' && (
        <ScanStep {...step} onConfirmed={(codes) => setStep({ at: 'codes', codes })} />
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onClose={() => change(false)} />}
    </Dialog>
  )
}
