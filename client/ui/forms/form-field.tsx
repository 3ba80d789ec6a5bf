import { useField, useFormikContext } from 'formik'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiText } from '#client/language/language.ts'
import { Field, type FieldProps, type FieldStatus } from './field.tsx'

/** For values such as codes and names: keyboards must not change what is typed. */
export const AS_TYPED = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

type FormFieldProps<P> = P & {
  name: string
  /** An empty field shows no error before the form is submitted. */
  errorOnSubmit?: boolean
}

export function FormField({ errorOnSubmit, ...props }: FormFieldProps<FieldProps>) {
  return <Field {...props} {...useFormProps(props.name, errorOnSubmit)} />
}

/** The code of a mail or an app, which a phone may offer to fill in. */
export function OneTimeCodeField(props: FormFieldProps<FieldProps>) {
  return <FormField autoComplete="one-time-code" {...AS_TYPED} {...props} />
}

type PasswordFieldProps = Omit<FieldProps, 'type' | 'trailing' | 'label'> & { label?: string }

export function FormPasswordField({ label, ...props }: FormFieldProps<PasswordFieldProps>) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <FormField
      {...props}
      {...AS_TYPED}
      label={label ?? t('password')}
      type={shown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-label={t(shown ? 'hidePassword' : 'showPassword')}
          onClick={() => setShown(!shown)}
          className="inline-flex size-11 items-center justify-center rounded-control text-muted transition hover:text-ink"
        >
          <Icon className="size-5" strokeWidth={1.75} />
        </button>
      }
    />
  )
}

/** The error shows after blur or submit. */
export function useFormProps(name: string, errorOnSubmit = false) {
  const [field, meta] = useField<string>(name)
  const { submitCount } = useFormikContext()
  const isHidden = errorOnSubmit && field.value === '' && submitCount === 0
  return { ...field, error: meta.touched && !isHidden ? apiText(meta.error) : undefined }
}

type EmailFieldProps = {
  /** `username` if a password manager must store a new password under the address. */
  autoComplete?: 'email' | 'username'
  hint?: string
  status?: FieldStatus
}

export function EmailField({ autoComplete = 'email', hint, status }: EmailFieldProps) {
  const { t } = useTranslation()
  return (
    <FormField
      name="email"
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      hint={hint}
      status={status}
      {...AS_TYPED}
    />
  )
}

/** A new password with its rules, and its confirmation as the form value `confirmPassword`. */
export function NewPasswordFields({ name }: { name: 'password' | 'newPassword' }) {
  const { t } = useTranslation()
  return (
    <>
      <FormPasswordField
        name={name}
        label={t(name)}
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
