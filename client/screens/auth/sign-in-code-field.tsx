import { useTranslation } from 'react-i18next'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { FocusOnMount } from '#client/ui/forms/formik-form.tsx'

/** The code from the mail that a login needs while strangers try passwords of the account. */
export function SignInCodeField() {
  const { t } = useTranslation('auth')
  return (
    <>
      <FormField
        name="otp"
        label={t('otp.label')}
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={t('otp.leaveEmpty')}
        {...AS_TYPED}
      />
      <FocusOnMount name="otp" />
    </>
  )
}
