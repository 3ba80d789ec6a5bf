const IP_ADDRESS = /^[\d.]+$|^\[/

/** Whether the host name of a URL is an IP address; browsers tie passkeys to a domain. */
export const isIpAddress = (hostname: string): boolean => IP_ADDRESS.test(hostname)

/** What a browser needs of a passkey that it refers to. */
type Descriptor = { type: 'public-key'; id: string; transports: string[] }

/** Argument of `PublicKeyCredential.parseCreationOptionsFromJSON`; bytes are base64url. */
export type PasskeyCreation = {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  /** COSE algorithms, the preferred first. */
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  /** Real time, ms. */
  timeout: number
  /** Passkeys that the member has: their authenticators make no second one. */
  excludeCredentials: Descriptor[]
  authenticatorSelection: {
    residentKey: 'required'
    requireResidentKey: true
    userVerification: 'required'
  }
}

/** Argument of `PublicKeyCredential.parseRequestOptionsFromJSON`: any passkey of the domain may sign. */
export type PasskeyRequest = {
  challenge: string
  rpId: string
  /** Real time, ms. */
  timeout: number
  userVerification: 'required'
}
