import { useField, useFormikContext } from 'formik'
import { translated } from '#client/language/messages/server-message.ts'
import { Field, type FieldProps, PasswordField } from '#client/ui/forms/field.tsx'

/** For values such as codes and names: keyboards must not change what is typed. */
export const AS_TYPED = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

type FormFieldProps<P> = P & {
  name: string
  /** An empty field shows no error before the form is submitted. */
  errorOnSubmit?: boolean
}

/** A `Field` of the surrounding Formik form; shows its error after blur or submit. */
export function FormField({ errorOnSubmit, ...props }: FormFieldProps<FieldProps>) {
  return <Field {...props} {...useFormProps(props.name, errorOnSubmit)} />
}

export function FormPasswordField({
  errorOnSubmit,
  ...props
}: FormFieldProps<Omit<FieldProps, 'type' | 'trailing'>>) {
  return <PasswordField {...props} {...useFormProps(props.name, errorOnSubmit)} />
}

function useFormProps(name: string, errorOnSubmit = false) {
  const [field, meta] = useField<string>(name)
  const { submitCount } = useFormikContext()
  const isHidden = errorOnSubmit && field.value === '' && submitCount === 0
  return { ...field, error: meta.touched && !isHidden ? translated(meta.error) : undefined }
}
