/** Browsers tie passkeys to a domain, and an IP address is none. */
const IP_ADDRESS = /^[\d.]+$|^\[/

/** Whether this browser can use passkeys on this page. */
export function canUsePasskeys(): boolean {
  const { isSecureContext, location, PublicKeyCredential } = window
  return (
    isSecureContext &&
    typeof PublicKeyCredential === 'function' &&
    !IP_ADDRESS.test(location.hostname)
  )
}
