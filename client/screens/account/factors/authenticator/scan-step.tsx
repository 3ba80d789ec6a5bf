import { Form, Formik } from 'formik'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { CopyButton } from '#client/ui/buttons/copy-button.tsx'
import { FocusFirstError } from '#client/ui/forms/focus-first-error.tsx'
import { QrCode } from '#client/ui/pictures/qr-code.tsx'
import { factorCodeForm } from '#contract/forms/fields'
import { confirmApp, type SetUp } from './authenticator-commands.ts'
import { CodeField } from './code-field.tsx'

/** A secret in groups of four characters, as people type it. */
const groupsOf = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

type ScanStepProps = SetUp & { onConfirmed: (recoveryCodes: string[]) => void }

/** The secret as a QR code and as text, and the field for the first code. */
export function ScanStep({ secret, uri, onConfirmed }: ScanStepProps) {
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
      <Formik
        initialValues={{ code: '' }}
        validationSchema={factorCodeForm}
        onSubmit={async (values, { setErrors }) => {
          const outcome = await confirmApp(values, onConfirmed)
          if (!outcome.done && outcome.fields) setErrors(outcome.fields)
        }}
      >
        {({ isSubmitting }) => (
          <Form noValidate className="mt-3 flex flex-col gap-2">
            <FocusFirstError />
            <CodeField />
            <Button type="submit" size="large" busy={isSubmitting} className="w-full">
              {t('factors.app.turnOn')}
            </Button>
          </Form>
        )}
      </Formik>
    </>
  )
}
