import { Form, FormikProvider } from 'formik'
import type { KeyboardEvent } from 'react'
import { Button } from '#client/ui/button.tsx'
import { FocusFirstError } from '#client/ui/focus-first-error.tsx'
import { FormField, FormPasswordField } from '#client/ui/form-field.tsx'
import {
  availabilityStatus,
  isAvailable,
  isTaken,
  referralCodeStatus,
  useReferralCodeCheck,
} from './availability.ts'
import { OtpField } from './otp-field.tsx'
import { RegisterHints } from './register-hints.tsx'
import { useRegistration } from './use-registration.ts'

const asTyped = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

export function RegisterForm({ referralCode }: { referralCode: string }) {
  const { formik, username, email, otp, canRegister } = useRegistration(referralCode)
  const referral = useReferralCodeCheck(formik.values.referralCode)

  // A browser does not submit with Enter while the button is disabled; the errors would stay unsaid.
  function submitOnEnter(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || canRegister) return
    event.preventDefault()
    if (!formik.isSubmitting) void formik.submitForm()
  }

  return (
    <FormikProvider value={formik}>
      <Form noValidate onKeyDown={submitOnEnter} className="flex flex-col gap-2">
        <FocusFirstError />
        <FormField
          name="username"
          label="Username"
          autoComplete="username"
          status={availabilityStatus(username, 'Error checking username')}
          {...asTyped}
        />
        <FormField
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          status={availabilityStatus(email, 'Error checking email')}
          {...asTyped}
        />
        <OtpField otp={otp} canSend={isAvailable(email)} />
        <FormPasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters, with uppercase letters and numbers"
        />
        <FormPasswordField
          name="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
        />
        <FormField
          name="referralCode"
          label="Referral code"
          labelEnd={<span className="text-xs text-muted">Optional</span>}
          autoComplete="off"
          inputClassName="font-mono"
          status={referralCodeStatus(referral)}
          {...asTyped}
        />
        <Button
          type="submit"
          size="large"
          busy={formik.isSubmitting}
          disabled={!canRegister}
          aria-describedby="register-hints"
          className="mt-1 w-full"
        >
          Register
        </Button>
        <RegisterHints
          id="register-hints"
          usernameTaken={isTaken(username)}
          emailRefused={isTaken(email) || Boolean(formik.touched.email && formik.errors.email)}
          verified={otp.verified}
        />
      </Form>
    </FormikProvider>
  )
}
