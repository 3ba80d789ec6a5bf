import { Form, Formik } from 'formik'
import { Button } from '#client/ui/button.tsx'
import { EmailField } from '#client/ui/email-field.tsx'
import { FocusFirstError } from '#client/ui/focus-first-error.tsx'
import { forgotForm } from '#contract/forms'
import { type ForgotOutcome, requestReset } from './password-commands.ts'

export type ForgotFormProps = {
  email: string
  onOutcome: (outcome: ForgotOutcome, email: string) => void
}

export function ForgotForm({ email, onOutcome }: ForgotFormProps) {
  return (
    <Formik
      initialValues={{ email }}
      validationSchema={forgotForm}
      onSubmit={async (values) => onOutcome(await requestReset(values.email), values.email)}
    >
      {({ isSubmitting }) => (
        <Form noValidate className="flex flex-col gap-2">
          <FocusFirstError />
          <EmailField />
          <Button type="submit" size="large" busy={isSubmitting} className="mt-2 w-full">
            Send Reset Instructions
          </Button>
        </Form>
      )}
    </Formik>
  )
}
