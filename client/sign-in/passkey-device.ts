import type { PasskeyCreation, PasskeyRequest } from '#contract/passkeys'
import { canUsePasskeys } from './can-use-passkeys.ts'

/** Loaded with the first use: most visits need no passkey. */
const library = () => import('@simplewebauthn/browser')

type PasskeyProblem = 'cancelled' | 'present' | 'failed'

export class PasskeyError extends Error {
  constructor(readonly problem: PasskeyProblem) {
    super(`passkey: ${problem}`)
    this.name = 'PasskeyError'
  }
}

/** Whether this browser can offer passkeys in the list of a text field. */
export async function canOfferPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await library()).browserSupportsWebAuthnAutofill()
}

function problemOf(error: unknown): PasskeyProblem {
  const { name } = error as Error
  if (name === 'InvalidStateError') return 'present'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed'
}

/** @throws {PasskeyError} `present` if the device has one of this account */
export async function createPasskey(optionsJSON: PasskeyCreation) {
  try {
    const { startRegistration } = await library()
    const { id, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    return { id, clientDataJSON, attestationObject, transports }
  } catch (error) {
    throw new PasskeyError(problemOf(error))
  }
}

/** `inField`: in the list of the `webauthn` field, else in a dialog. Ends an earlier call. @throws {PasskeyError} */
export async function signWithPasskey(
  optionsJSON: PasskeyRequest,
  { inField }: { inField: boolean },
) {
  try {
    const { startAuthentication } = await library()
    const signed = await startAuthentication({ optionsJSON, useBrowserAutofill: inField })
    const { clientDataJSON, authenticatorData, signature } = signed.response
    return { id: signed.id, clientDataJSON, authenticatorData, signature }
  } catch (error) {
    throw new PasskeyError(problemOf(error))
  }
}

/** Withdraws the passkeys from the list of the field. */
export async function stopOffer(): Promise<void> {
  const { WebAuthnAbortService } = await library()
  WebAuthnAbortService.cancelCeremony()
}
