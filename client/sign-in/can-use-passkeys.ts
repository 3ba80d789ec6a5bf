import { isIpAddress } from '#contract/passkeys'

/** Whether this browser can use passkeys on this page. */
export function canUsePasskeys(): boolean {
  const { isSecureContext, location, PublicKeyCredential } = window
  return (
    isSecureContext && typeof PublicKeyCredential === 'function' && !isIpAddress(location.hostname)
  )
}
