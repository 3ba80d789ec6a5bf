import { useTranslation } from 'react-i18next'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import type { FieldStatus } from './field.tsx'

export type EmailFieldProps = {
  /** `username` if a password manager must store a new password under the address. */
  autoComplete?: 'email' | 'username'
  status?: FieldStatus
}

/** The field `email` of the surrounding Formik form. */
export function EmailField({ autoComplete = 'email', status }: EmailFieldProps) {
  const { t } = useTranslation()
  return (
    <FormField
      name="email"
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      status={status}
      {...AS_TYPED}
    />
  )
}
