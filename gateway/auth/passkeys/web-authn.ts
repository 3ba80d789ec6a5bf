/** The library is loaded with the first passkey: its parsers of certificates need memory. */
export const webAuthn = () => import('@simplewebauthn/server')
