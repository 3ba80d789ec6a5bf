import { Form, Formik, type FormikHelpers, type FormikValues } from 'formik'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyObjectSchema } from 'yup'
import { FocusFirstError } from '#client/ui/forms/focus-first-error.tsx'
import { FormPasswordField } from '#client/ui/forms/form-field.tsx'
import type { Outcome } from './data-commands.ts'

type PasswordFormProps<V extends FormikValues> = {
  username: string
  label?: string
  initialValues: V
  schema: AnyObjectSchema
  act: (values: V) => Promise<Outcome>
  onDone: () => void
  /** The rest of the form, below the password. */
  children: (form: { values: V; busy: boolean }) => ReactNode
}

/** A form that asks for the member's password again; shows the server's errors at their fields. */
export function PasswordForm<V extends FormikValues>({
  username,
  label,
  initialValues,
  schema,
  act,
  onDone,
  children,
}: PasswordFormProps<V>) {
  const { t } = useTranslation('account')
  async function submit(values: V, { setErrors }: FormikHelpers<V>) {
    const outcome = await act(values)
    if (outcome.done) onDone()
    else if (outcome.fields) setErrors(outcome.fields as Parameters<typeof setErrors>[0])
  }
  return (
    <Formik initialValues={initialValues} validationSchema={schema} onSubmit={submit}>
      {({ values, isSubmitting }) => (
        <Form noValidate className="flex flex-col gap-2">
          <FocusFirstError />
          {/* For password managers: names the account of the password. */}
          <input hidden readOnly autoComplete="username" value={username} />
          <FormPasswordField
            name="password"
            label={label ?? t('data.password')}
            autoComplete="current-password"
            errorOnSubmit
          />
          {children({ values, busy: isSubmitting })}
        </Form>
      )}
    </Formik>
  )
}
