import { useEffect, useRef } from 'react'
import { AS_TYPED, FormField } from '#client/ui/form-field.tsx'

/** The code from the mail that a login needs while strangers try passwords of the account. */
export function SignInCodeField() {
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => {
    row.current?.querySelector<HTMLElement>('[name="otp"]')?.focus()
  }, [])

  return (
    <div ref={row}>
      <FormField
        name="otp"
        label="OTP code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Leave it empty and log in again to get a new code"
        {...AS_TYPED}
      />
    </div>
  )
}
