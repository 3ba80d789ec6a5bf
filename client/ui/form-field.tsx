import { useField, useFormikContext } from 'formik'
import { Field, type FieldProps, PasswordField } from '#client/ui/field.tsx'

type FormFieldProps<P> = P & {
  name: string
  /** Left empty it is not wrong before the form is submitted. */
  patient?: boolean
}

/** A `Field` of the Formik form around it: its error shows once the field was left or submitted. */
export function FormField({ patient, ...props }: FormFieldProps<FieldProps>) {
  return <Field {...props} {...useFormProps(props.name, patient)} />
}

export function FormPasswordField({
  patient,
  ...props
}: FormFieldProps<Omit<FieldProps, 'type' | 'trailing'>>) {
  return <PasswordField {...props} {...useFormProps(props.name, patient)} />
}

function useFormProps(name: string, patient = false) {
  const [field, meta] = useField<string>(name)
  const { submitCount } = useFormikContext()
  const early = patient && field.value === '' && submitCount === 0
  return { ...field, error: meta.touched && !early ? meta.error : undefined }
}
