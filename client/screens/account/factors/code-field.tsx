import { useTranslation } from 'react-i18next'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'

/** The form value `code`: a code of the authenticator app, or with `recovery` a recovery code too. */
export function CodeField({ recovery = false }: { recovery?: boolean }) {
  const { t } = useTranslation('account')
  return (
    <FormField
      name="code"
      label={t('factors.app.code')}
      hint={t(recovery ? 'factors.app.codeOrRecovery' : 'factors.app.codeHint')}
      autoComplete="one-time-code"
      inputMode={recovery ? undefined : 'numeric'}
      errorOnSubmit
      {...AS_TYPED}
    />
  )
}
