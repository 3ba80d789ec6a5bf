import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'
import type { SoftwareAuthenticator } from './software-authenticator.ts'

/** The origin of a visitor's page; the software authenticator signs it. */
export const originOf = (visitor: Visitor): string =>
  visitor.headers.Origin ?? visitor.product.urls[visitor.gateway] ?? ''

/**
 * Adds the passkey of an authenticator to the signed-in visitor; the answer of the gateway.
 * @param code one-time code of a member who uses them
 */
export async function addPasskey(
  visitor: Visitor,
  key: SoftwareAuthenticator,
  name = 'Phone',
  code?: string,
) {
  const { body } = await visitor.call('POST /api/user/passkeys/options', {
    body: { password: PASSWORD, code },
  })
  const credential = key.create(body.options, name, { origin: originOf(visitor) })
  return visitor.call('POST /api/user/passkeys', { body: credential })
}

/** Signs the visitor in by the passkey of an authenticator; the answer of the gateway. */
export async function signInWithPasskey(visitor: Visitor, key: SoftwareAuthenticator) {
  const { body } = await visitor.call('POST /api/passkey/options')
  const signed = key.sign(body.options, { origin: originOf(visitor) })
  return visitor.call('POST /api/passkey/login', { body: signed })
}
