import { Form, Formik, type FormikHelpers } from 'formik'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { FocusFirstError } from '#client/ui/forms/focus-first-error.tsx'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { factorCodeForm } from '#contract/forms/fields'
import { enterCode } from './login.ts'

/** Rejections after which only a login from the beginning helps. */
const LOST = ['second_step_expired', 'second_factor_off', 'account_frozen']

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('auth')
  const form = useRef<HTMLDivElement>(null)

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[name="code"]')?.focus()
  }, [])

  async function submit(
    { code }: { code: string },
    { setFieldValue }: FormikHelpers<{ code: string }>,
  ) {
    const rejection = await enterCode(code.trim())
    if (rejection && LOST.includes(rejection)) onBack()
    else if (rejection === 'second_factor_invalid') await setFieldValue('code', '', false)
  }

  return (
    <div ref={form}>
      <Formik initialValues={{ code: '' }} validationSchema={factorCodeForm} onSubmit={submit}>
        {({ isSubmitting }) => (
          <Form noValidate className="flex flex-col gap-2">
            <FocusFirstError />
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
            <Button type="submit" size="large" busy={isSubmitting} className="mt-2 w-full">
              {t('login')}
            </Button>
            <Button variant="ghost" className="w-full" onClick={onBack}>
              {t('secondStep.back')}
            </Button>
          </Form>
        )}
      </Formik>
    </div>
  )
}
