import { useFormikContext } from 'formik'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { canUsePasskeys } from '#client/passkeys/can-use-passkeys.ts'
import { canOfferPasskeys, stopOffer } from '#client/passkeys/passkey-device.ts'
import { PASSKEY_CHALLENGE_MS } from '#rules/constants'
import { logInWithPasskey } from './passkey-login.ts'

/** A challenge lives five minutes; the list of the field gets a new one before that. */
const RENEW_MS = PASSKEY_CHALLENGE_MS * 0.8

const noChanges = () => () => {}

/** The page that the build renders shows the button, and the entry hides it in a browser without them. */
const useCanUsePasskeys = () => useSyncExternalStore(noChanges, canUsePasskeys, () => true)

/**
 * Passkeys of the login form: a button, and the list of the user name field while the form is shown.
 * `logIn` is undefined if this browser has none.
 */
export function usePasskeys(): { busy: boolean; logIn: (() => Promise<void>) | undefined } {
  const { values } = useFormikContext<{ rememberMe: boolean }>()
  const canUse = useCanUsePasskeys()
  const [busy, setBusy] = useState(false)
  const remember = useRef(values.rememberMe)
  remember.current = values.rememberMe
  const rememberMe = () => remember.current

  // biome-ignore lint/correctness/useExhaustiveDependencies: `rememberMe` reads a ref.
  useEffect(() => {
    // The button has a dialog of its own, which replaces the list.
    if (busy || !canUse) return
    let isShown = true
    const offer = async () => {
      const isOffered = await canOfferPasskeys()
      if (isShown && isOffered) await logInWithPasskey({ inField: true, rememberMe })
    }
    void offer()
    const renewal = setInterval(() => void offer(), RENEW_MS)
    return () => {
      isShown = false
      clearInterval(renewal)
      void stopOffer()
    }
  }, [busy, canUse])

  const logIn = async () => {
    setBusy(true)
    if (!(await logInWithPasskey({ inField: false, rememberMe }))) setBusy(false)
  }
  return { busy, logIn: canUse ? logIn : undefined }
}
