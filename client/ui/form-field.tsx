import { useField } from 'formik'
import { Field, type FieldProps, PasswordField } from '#client/ui/field.tsx'

type FormFieldProps<P> = P & { name: string }

/** A `Field` of the Formik form around it: its error shows once the field was left or submitted. */
export function FormField(props: FormFieldProps<FieldProps>) {
  return <Field {...props} {...useFormProps(props.name)} />
}

export function FormPasswordField(props: FormFieldProps<Omit<FieldProps, 'type' | 'trailing'>>) {
  return <PasswordField {...props} {...useFormProps(props.name)} />
}

function useFormProps(name: string) {
  const [field, meta] = useField<string>(name)
  return { ...field, error: meta.touched ? meta.error : undefined }
}
