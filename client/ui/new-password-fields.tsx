import { FormPasswordField } from '#client/ui/form-field.tsx'

/** A new password with its rules, and its confirmation as the form value `confirmPassword`. */
export function NewPasswordFields({ name, label }: { name: string; label: string }) {
  return (
    <>
      <FormPasswordField
        name={name}
        label={label}
        autoComplete="new-password"
        hint="At least 8 characters, with uppercase letters and numbers"
      />
      <FormPasswordField
        name="confirmPassword"
        label="Confirm password"
        autoComplete="new-password"
      />
    </>
  )
}
