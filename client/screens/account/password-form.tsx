import type { FormikValues } from 'formik'
import { currentUser } from '#client/data/member-data.ts'
import type { ButtonProps } from '#client/ui/buttons/button.tsx'
import { ButtonDialog, type ButtonDialogProps } from '#client/ui/dialogs/dialog.tsx'
import { FormPasswordField } from '#client/ui/forms/form-field.tsx'
import { FormikForm, type FormikFormProps, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { confirmBody } from '#contract/forms/password-confirmed'

type PasswordFormProps<V> = FormikFormProps<V> & {
  passwordLabel?: string
  /** The button at the end, unless the children have their own. */
  submit?: ButtonProps
}

/** Asks for the password, and for what its children ask. */
export function PasswordForm<V extends FormikValues>({
  passwordLabel,
  submit,
  children,
  ...form
}: PasswordFormProps<V>) {
  return (
    <FormikForm {...form}>
      {(formik) => (
        <>
          {/* Names the account of the password for password managers. */}
          <input hidden readOnly autoComplete="username" defaultValue={currentUser()?.username} />
          <FormPasswordField
            name="password"
            label={passwordLabel}
            autoComplete="current-password"
            errorOnSubmit
          />
          {typeof children === 'function' ? children(formik) : children}
          {submit && <SubmitButton {...submit} className={children ? undefined : 'w-full'} />}
        </>
      )}
    </FormikForm>
  )
}

/** Of a form that asks for the password only. */
export const passwordOnly = { initialValues: { password: '' }, validationSchema: confirmBody }

type DialogProps = Omit<ButtonDialogProps, 'children'>

export function PasswordDialog<V extends FormikValues>(props: DialogProps & PasswordFormProps<V>) {
  const { passwordLabel, submit, initialValues, validationSchema, onSubmit, children, ...dialog } =
    props
  const form = { passwordLabel, submit, initialValues, validationSchema, onSubmit, children }
  return (
    <ButtonDialog {...dialog}>{(close) => <PasswordForm {...form} onDone={close} />}</ButtonDialog>
  )
}
