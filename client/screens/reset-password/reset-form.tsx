import { Form, Formik, type FormikHelpers } from 'formik'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { EmailField } from '#client/ui/email-field.tsx'
import { FocusFirstError } from '#client/ui/focus-first-error.tsx'
import { AS_TYPED, FormField } from '#client/ui/form-field.tsx'
import { NewPasswordFields } from '#client/ui/new-password-fields.tsx'
import { resetForm } from '#contract/forms'
import { resetPassword } from './password-commands.ts'

type Values = { email: string; otp: string; newPassword: string; confirmPassword: string }

export type ResetFormProps = { email: string; onDone: () => void }

export function ResetForm({ email, onDone }: ResetFormProps) {
  const [done, setDone] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  // The button that sent the request was removed with its tab and lost the focus.
  useEffect(() => {
    if (document.activeElement !== document.body) return
    form.current?.querySelector<HTMLElement>('[name="otp"]')?.focus()
  }, [])

  async function submit(values: Values, { setErrors }: FormikHelpers<Values>) {
    const errors = await resetPassword(values)
    if (errors) return setErrors(errors)
    setDone(true)
    onDone()
  }

  const blank = { email, otp: '', newPassword: '', confirmPassword: '' }
  return (
    <Formik initialValues={blank} validationSchema={resetForm} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form ref={form} noValidate className="flex flex-col gap-2">
          <FocusFirstError />
          <EmailField autoComplete="username" />
          <FormField
            name="otp"
            label="OTP code"
            inputMode="numeric"
            errorOnSubmit
            autoComplete="one-time-code"
            hint="Enter the 6 digits from the e-mail"
            {...AS_TYPED}
          />
          <NewPasswordFields name="newPassword" label="New password" />
          <Button type="submit" size="large" busy={isSubmitting || done} className="mt-2 w-full">
            Reset Password
          </Button>
        </Form>
      )}
    </Formik>
  )
}
