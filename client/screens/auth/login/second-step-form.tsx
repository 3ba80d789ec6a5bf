import type { FormikHelpers } from 'formik'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { FocusOnMount, FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { factorCodeForm } from '#contract/forms/fields'
import { enterCode } from './login.ts'

/** Rejections after which only a login from the beginning helps. */
const LOST = ['second_step_expired', 'second_factor_off', 'account_frozen']

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('auth')

  async function submit(
    { code }: { code: string },
    { setFieldValue }: FormikHelpers<{ code: string }>,
  ) {
    const rejection = await enterCode(code.trim())
    if (rejection && LOST.includes(rejection)) onBack()
    else if (rejection === 'second_factor_invalid') await setFieldValue('code', '', false)
  }

  return (
    <FormikForm initialValues={{ code: '' }} validationSchema={factorCodeForm} onSubmit={submit}>
      <FocusOnMount name="code" />
      <h2 className="text-base">{t('secondStep.title')}</h2>
      <p className="pb-2 text-sm text-muted">{t('secondStep.text')}</p>
      <FormField
        name="code"
        label={t('secondStep.code')}
        hint={t('secondStep.hint')}
        autoComplete="one-time-code"
        errorOnSubmit
        {...AS_TYPED}
      />
      <SubmitButton>{t('login')}</SubmitButton>
      <Button variant="ghost" className="w-full" onClick={onBack}>
        {t('secondStep.back')}
      </Button>
    </FormikForm>
  )
}
