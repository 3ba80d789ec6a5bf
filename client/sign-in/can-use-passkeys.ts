import { isIpAddress } from '#contract/passkeys'

export function canUsePasskeys(): boolean {
  const { isSecureContext, location, PublicKeyCredential } = window
  return (
    isSecureContext && typeof PublicKeyCredential === 'function' && !isIpAddress(location.hostname)
  )
}
