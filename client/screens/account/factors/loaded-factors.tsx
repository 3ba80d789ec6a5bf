import type { SignInFactors } from '#rules/members/account-snapshots'
import { Authenticator } from './authenticator/authenticator.tsx'
import { PasskeyList } from './passkeys/passkey-list.tsx'

/** The passkeys of a member and the codes of an authenticator app, with their dialogs. */
export function LoadedFactors({ factors, username }: { factors: SignInFactors; username: string }) {
  const { passkeys, authenticator } = factors
  return (
    <>
      <PasskeyList passkeys={passkeys} username={username} hasCodes={authenticator !== null} />
      <Authenticator authenticator={authenticator} username={username} />
    </>
  )
}
