export type RegisterHintsProps = {
  id: string
  usernameTaken: boolean
  emailRefused: boolean
  verified: boolean
}

/** Why Register is disabled. */
export function RegisterHints({ id, usernameTaken, emailRefused, verified }: RegisterHintsProps) {
  const hints = [
    usernameTaken && 'Choose another username',
    emailRefused && 'The e-mail is invalid or already in use',
    !verified && 'Verify the OTP before registering',
  ].filter((hint) => hint !== false)
  return (
    <ul id={id} aria-live="polite" className="min-h-5 pt-1 text-center text-xs text-muted">
      {hints.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  )
}
