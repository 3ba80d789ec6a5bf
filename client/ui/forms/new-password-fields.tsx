import { useTranslation } from 'react-i18next'
import { FormPasswordField } from '#client/ui/forms/form-field.tsx'

/** A new password with its rules, and its confirmation as the form value `confirmPassword`. */
export function NewPasswordFields({ name, label }: { name: string; label: string }) {
  const { t } = useTranslation()
  return (
    <>
      <FormPasswordField
        name={name}
        label={label}
        autoComplete="new-password"
        hint={t('passwordRules')}
      />
      <FormPasswordField
        name="confirmPassword"
        label={t('confirmPassword')}
        autoComplete="new-password"
      />
    </>
  )
}
