import type Koa from 'koa'
import type { PasskeyCreation } from '#contract/passkeys'
import type { BodyOf } from '#contract/routes'
import { credentialsOf, type NewPasskey } from '#db/members/passkeys'
import type { Services } from '#gateway/services/services'
import { NETWORK_NAME, PASSKEY_CHALLENGE_MS } from '#rules/constants'
import {
  type ChallengeUse,
  newChallenge,
  passkeyRefused,
  relyingParty,
  takeChallenge,
  webAuthn,
} from './challenges.ts'

/** COSE algorithms: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/**
 * The challenge of a new passkey. While one-time codes are on it takes one that followed a code, so that
 * one of before they were switched on adds nothing.
 */
const useOf = (hasCodes: boolean): ChallengeUse => (hasCodes ? 'add after a code' : 'add')

/**
 * What the browser passes to `navigator.credentials.create`.
 * @param hasCodes whether the member uses one-time codes and has entered one
 */
export async function passkeyCreation(
  services: Services,
  ctx: Koa.Context,
  member: { id: number; username: string },
  hasCodes: boolean,
): Promise<PasskeyCreation> {
  const { id, username: name } = member
  const existing = await credentialsOf(services.db, id)
  return {
    rp: { id: relyingParty(services.config, ctx).id, name: NETWORK_NAME },
    // The authenticator shows the name; the id alone replaces an earlier passkey of the account.
    user: { id: Buffer.from(String(id)).toString('base64url'), name, displayName: name },
    challenge: await newChallenge(services, ctx, useOf(hasCodes)),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: PASSKEY_CHALLENGE_MS,
    excludeCredentials: existing.map(({ credentialId, transports }) => {
      return { type: 'public-key', id: credentialId, transports }
    }),
    // A resident key holds its account, so that a sign-in asks for no user name.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
}

/**
 * Verifies a new credential: challenge, origin, domain, and that the authenticator verified its user.
 * Which maker made the authenticator is not asked.
 * @param hasCodes whether the member uses one-time codes
 * @throws {RuleError} `passkey_refused`
 */
export async function verifyNewPasskey(
  services: Services,
  ctx: Koa.Context,
  body: BodyOf<'POST /api/user/passkeys'>,
  hasCodes: boolean,
): Promise<NewPasskey> {
  const { id, clientDataJSON, attestationObject, transports = [], name } = body
  const { verifyRegistrationResponse } = await webAuthn()
  const party = relyingParty(services.config, ctx)
  const expectedChallenge = await takeChallenge(services, ctx, useOf(hasCodes), clientDataJSON)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((err) => {
    services.log.info({ err }, 'new passkey refused')
    throw passkeyRefused()
  })
  if (!registrationInfo) throw passkeyRefused()
  const { credential, credentialBackedUp } = registrationInfo
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports,
    backedUp: credentialBackedUp,
    name: name.trim(),
  }
}
