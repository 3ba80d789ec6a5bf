import ShieldOff from 'lucide-react/icons/shield-off'
import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '#client/format/dates.ts'
import {
  PasswordDialog,
  PasswordForm,
  passwordOnly,
} from '#client/screens/account/password-form.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { QrCode } from '#client/ui/pictures/qr-code.tsx'
import { factorCodeForm } from '#contract/forms/fields'
import { passwordAndCodeBody } from '#contract/forms/password-confirmed'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { confirmApp, type SetUp, setUpApp, turnOffApp } from './factor-commands.ts'
import {
  CodeField,
  RecoveryCodes,
  RenewDialog,
  type UnsavedCodes,
  useUnsavedCodes,
} from './recovery-codes.tsx'

export function Authenticator({ authenticator }: Pick<SignInFactors, 'authenticator'>) {
  const { t } = useTranslation('account')
  // Keeps the set-up dialog mounted until its recovery codes were read.
  const [isSettingUp, setSettingUp] = useState(false)
  const isOn = authenticator !== null
  return (
    <>
      <h3 className="mt-6 border-t border-line pt-5 text-sm font-medium">
        {t('factors.app.title')}
      </h3>
      <p className="mt-1 text-sm text-muted">{t('factors.app.text')}</p>
      {isOn && (
        <p className="mt-2 text-sm">
          {t('factors.app.onSince', { date: dateText(authenticator.since) })}{' '}
          {t('factors.recovery.left', { count: authenticator.recoveryCodesLeft })}
        </p>
      )}
      <div className="mt-3">
        {isOn && !isSettingUp ? (
          <div className="grid gap-2 sm:grid-cols-2">
            <RenewDialog />
            <PasswordDialog
              label={t('factors.app.turnOff')}
              title={t('factors.app.turnOffTitle')}
              description={t('factors.app.turnOffText')}
              icon={ShieldOff}
              variant="destructive"
              initialValues={{ password: '', code: '' }}
              validationSchema={passwordAndCodeBody}
              submit={{ variant: 'destructive', children: t('factors.app.turnOffTitle') }}
              onSubmit={turnOffApp}
            >
              <CodeField recovery />
            </PasswordDialog>
          </div>
        ) : (
          <SetUpDialog onOpenChange={setSettingUp} />
        )}
      </div>
    </>
  )
}

type Step = { at: 'password' } | ({ at: 'scan' } & SetUp) | { at: 'codes'; codes: string[] }

function SetUpDialog({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const { t } = useTranslation('account')
  const [step, setStep] = useState<Step>({ at: 'password' })
  const unsaved = useUnsavedCodes()
  function change(next: boolean) {
    onOpenChange(next)
    // Not at the close: the dialog would show it while it fades out.
    if (next) setStep({ at: 'password' })
  }
  return (
    <ButtonDialog
      label={t('factors.app.setUp')}
      title={t(step.at === 'codes' ? 'factors.app.isOn' : 'factors.app.setUp')}
      description={t(`factors.app.step.${step.at}`)}
      icon={Smartphone}
      className="w-full sm:w-auto"
      onOpenChange={change}
      mayClose={unsaved.mayClose}
    >
      {(close) =>
        step.at === 'password' ? (
          <PasswordForm
            {...passwordOnly}
            submit={{ children: t('continue') }}
            onSubmit={(body) => setUpApp(body, (made) => setStep({ at: 'scan', ...made }))}
          />
        ) : step.at === 'scan' ? (
          <ScanStep
            {...step}
            unsaved={unsaved}
            onConfirmed={(codes) => setStep({ at: 'codes', codes })}
          />
        ) : (
          <RecoveryCodes codes={step.codes} unsaved={unsaved} onClose={close} />
        )
      }
    </ButtonDialog>
  )
}

const groupsOf = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

type ScanStepProps = SetUp & {
  unsaved: UnsavedCodes
  onConfirmed: (recoveryCodes: string[]) => void
}

function ScanStep({ secret, uri, unsaved, onConfirmed }: ScanStepProps) {
  const { t } = useTranslation('account')
  return (
    <>
      <div className="mx-auto size-48">
        <QrCode text={uri} label={t('factors.app.qr')} />
      </div>
      <p className="mt-4 text-sm text-muted">{t('factors.app.typeSecret')}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <code className="min-w-0 grow basis-48 font-mono text-sm wrap-anywhere">
          {groupsOf(secret)}
        </code>
        <CopyButton text={secret} what={t('factors.app.secret')} />
      </div>
      {/* A phone cannot scan its own screen; on a desktop no app would answer. */}
      <Button asChild variant="secondary" className="mt-2 hidden w-full pointer-coarse:inline-flex">
        <a href={uri}>{t('factors.app.openHere')}</a>
      </Button>
      <FormikForm
        initialValues={{ code: '' }}
        validationSchema={factorCodeForm}
        onSubmit={(values) => unsaved.requested(confirmApp(values, onConfirmed))}
        className="mt-3 flex flex-col gap-2"
      >
        <CodeField />
        <SubmitButton className="w-full">{t('factors.app.turnOn')}</SubmitButton>
      </FormikForm>
    </>
  )
}
