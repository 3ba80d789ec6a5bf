import type { FormikValues } from 'formik'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { answerOf } from '#client/data/api.ts'
import { errorText } from '#client/language/language.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { FormPasswordField } from '#client/ui/forms/form-field.tsx'
import {
  FormikForm,
  type FormikFormProps,
  type FormOutcome,
  SubmitButton,
} from '#client/ui/forms/formik-form.tsx'
import { showFailure } from '#client/ui/toasts/toast.ts'
import { confirmBody } from '#contract/forms/password-confirmed'

type PasswordFormProps<V> = FormikFormProps<V> & { username: string; label?: string }

export function PasswordForm<V extends FormikValues>({
  username,
  label,
  children,
  ...form
}: PasswordFormProps<V>) {
  const { t } = useTranslation('account')
  return (
    <FormikForm {...form}>
      {(formik) => (
        <>
          {/* Names the account of the password for password managers. */}
          <input hidden readOnly autoComplete="username" value={username} />
          <FormPasswordField
            name="password"
            label={label ?? t('data.password')}
            autoComplete="current-password"
            errorOnSubmit
          />
          {typeof children === 'function' ? children(formik) : children}
        </>
      )}
    </FormikForm>
  )
}

type PasswordDialogProps = {
  title: string
  description: string
  trigger: ReactElement
  username: string
  confirm: string
  onSubmit: (proof: { password: string }) => Promise<FormOutcome>
}

export function PasswordDialog(props: PasswordDialogProps) {
  const { title, description, trigger, username, confirm, onSubmit } = props
  return (
    <Dialog title={title} description={description} trigger={trigger}>
      {(close) => (
        <PasswordForm
          username={username}
          initialValues={{ password: '' }}
          validationSchema={confirmBody}
          onSubmit={onSubmit}
          onDone={close}
        >
          <SubmitButton variant="destructive" className="w-full">
            {confirm}
          </SubmitButton>
        </PasswordForm>
      )}
    </Dialog>
  )
}

/** Returns the errors that belong to fields; shows all other errors in a toast. */
export function handleFailure(title: string, error: unknown): FormOutcome {
  const answer = answerOf(error)
  if (answer?.code === 'wrong_password') {
    return { done: false, fields: { password: errorText(answer) } }
  }
  if (answer?.code === 'second_factor_invalid') {
    return { done: false, fields: { code: errorText(answer) } }
  }
  if (answer?.fields) return { done: false, fields: answer.fields }
  showFailure(title, error)
  return { done: false }
}
