import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { PasskeyCreation, PasskeyRequest } from '#contract/passkeys'
import type { BodyOf } from '#contract/routes'
import type { MemberRow } from '#db/members/members'
import {
  credentialsOf,
  lockPasskey,
  type NewPasskey,
  recordPasskeyUse,
  type StoredPasskey,
} from '#db/members/passkeys'
import { inTransaction } from '#db/postgres/statements/transaction'
import { authSessionName } from '#gateway/services/auth-session-store'
import type { Services } from '#gateway/services/services'
import { NETWORK_NAME, PASSKEY_CHALLENGE_MS } from '#rules/constants'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { browserId, requestSignInName } from './auth-session.ts'

/** The library is loaded with the first passkey: its parsers of certificates need memory. */
const webAuthn = () => import('@simplewebauthn/server')

/** Names no reason: an unknown passkey, a wrong signature and an expired challenge get the same answer. */
const passkeyRefused = () =>
  new RuleError('passkey_refused', 'This passkey could not be used. Please try again')

type RelyingParty = { id: string; origins: string[] }

/** The first `PUBLIC_ORIGIN`; in development the origin of the request, which `sameOriginOnly` has accepted. */
export function relyingParty({ publicOrigins }: Config, ctx: Koa.Context): RelyingParty {
  const own = publicOrigins.length > 0 ? publicOrigins : [ctx.get('Origin') || ctx.origin]
  const urls = own.map((origin) => new URL(origin))
  const id = urls[0]?.hostname ?? 'localhost'
  const isOwn = ({ hostname }: URL) => hostname === id || hostname.endsWith(`.${id}`)
  return { id, origins: urls.filter(isOwn).map(({ origin }) => origin) }
}

/** A signature for one use is not valid for another. */
type ChallengeUse = 'add' | 'add after a code' | 'sign-in'

const CHALLENGE_BYTES = 32

/** Who may answer a challenge: this browser, and for a new passkey only this sign-in of it. */
function ownerOf(ctx: Koa.Context, use: ChallengeUse): string {
  return `${use}:${use === 'sign-in' ? browserId(ctx) : requestSignInName(ctx)}`
}

const redisKey = ({ config }: Services, challenge: string) =>
  `${config.redisPrefix}:challenge:${authSessionName(challenge)}`

async function newChallenge(
  services: Services,
  ctx: Koa.Context,
  use: ChallengeUse,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const key = redisKey(services, challenge)
  await services.redis.set(key, ownerOf(ctx, use), 'PX', PASSKEY_CHALLENGE_MS)
  return challenge
}

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return String(challenge)
  } catch {
    throw passkeyRefused()
  }
}

/** Deletes the challenge before anything is verified, so it works once; throws `passkey_refused`. */
async function takeChallenge(
  services: Services,
  ctx: Koa.Context,
  use: ChallengeUse,
  clientDataJSON: string,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  const owner = await services.redis.getdel(redisKey(services, challenge))
  if (owner === null || owner !== ownerOf(ctx, use)) throw passkeyRefused()
  return challenge
}

/** A response in the form of `PublicKeyCredential.toJSON`. */
const responseOf = <R>(id: string, response: R) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  response,
  clientExtensionResults: {},
})

/** COSE algorithms: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** With one-time codes on, a challenge from before they were switched on adds no passkey. */
const useOf = (hasCodes: boolean): ChallengeUse => (hasCodes ? 'add after a code' : 'add')

/** For `navigator.credentials.create`. `hasCodes`: the member uses one-time codes and has entered one. */
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

/** Drops the attestation statement: to verify it, the library would fetch any revocation list it names (SSRF). */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'))
  const bare: Parameters<typeof isoCBOR.encode>[0] = new Map()
  bare.set('fmt', 'none')
  bare.set('attStmt', new Map())
  bare.set('authData', decodeAttestationObject(bytes).get('authData'))
  return Buffer.from(isoCBOR.encode(bare)).toString('base64url')
}

/** The parts of a COSE key (RFC 9053) by its type: the longest value of each, in bytes. */
const KEY_PARTS = new Map<unknown, Record<number, number>>([
  [1, { [-2]: 32 }],
  [2, { [-2]: 32, [-3]: 32 }],
  [3, { [-1]: 1_024, [-2]: 8 }],
])

/** Of a number in the key the library makes a buffer of that many bytes, which can end the process. */
async function assertKeyParts(publicKey: Uint8Array<ArrayBuffer>): Promise<void> {
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  const key = decodeCredentialPublicKey(publicKey) as unknown as ReadonlyMap<number, unknown>
  const parts = KEY_PARTS.get(key.get(1))
  const isKey =
    parts &&
    Object.entries(parts).every(([number, longest]) => {
      const value = key.get(Number(number))
      return value instanceof Uint8Array && value.length <= longest
    })
  if (!isKey) throw new Error('a part of the public key is no byte string, or too long')
}

/** Does not ask which maker made the authenticator; throws `passkey_refused`. */
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
  const verified = async () => {
    const bare = await withoutStatement(attestationObject)
    const { registrationInfo } = await verifyRegistrationResponse({
      response: responseOf(id, { clientDataJSON, attestationObject: bare }),
      expectedChallenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    // The library does not limit the length of the signed id; the body's schema limits that of `id`.
    if (registrationInfo?.credential.id !== id) throw new Error('the signed id is another one')
    await assertKeyParts(registrationInfo.credential.publicKey)
    return registrationInfo
  }
  const { credential, credentialBackedUp } = await verified().catch((err) => {
    services.log.info({ err }, 'new passkey refused')
    throw passkeyRefused()
  })
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports,
    backedUp: credentialBackedUp,
    name: name.trim(),
  }
}

/** For `navigator.credentials.get`: any passkey of this domain may answer. */
export async function passkeyRequest(
  services: Services,
  ctx: Koa.Context,
): Promise<PasskeyRequest> {
  return {
    rpId: relyingParty(services.config, ctx).id,
    challenge: await newChallenge(services, ctx, 'sign-in'),
    timeout: PASSKEY_CHALLENGE_MS,
    userVerification: 'required',
  }
}

type Signature = BodyOf<'POST /api/passkey/login'>
type Expected = { challenge: string; party: RelyingParty }

async function verify(passkey: StoredPasskey, signed: Signature, { challenge, party }: Expected) {
  const { verifyAuthenticationResponse } = await webAuthn()
  const { id, clientDataJSON, authenticatorData, signature } = signed
  const publicKey = new Uint8Array(passkey.publicKey)
  await assertKeyParts(publicKey)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: responseOf(id, { clientDataJSON, authenticatorData, signature }),
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    credential: {
      id: passkey.credentialId,
      publicKey,
      counter: passkey.counter,
    },
    requireUserVerification: true,
  })
  if (!verified) throw new Error('wrong signature')
  return authenticationInfo
}

/** Refuses a counter that does not rise: that of a copied authenticator. Throws `passkey_refused`. */
export async function memberOfSignature(
  services: Services,
  ctx: Koa.Context,
  signed: Signature,
): Promise<MemberRow> {
  const { db, config, log } = services
  const party = relyingParty(config, ctx)
  const challenge = await takeChallenge(services, ctx, 'sign-in', signed.clientDataJSON)
  return inTransaction(db, async (tx) => {
    const passkey = await lockPasskey(tx, signed.id)
    if (!passkey) throw passkeyRefused()
    const { memberId } = passkey
    // Under the lock, which a deletion waits for: the epoch is that of the signature.
    const member = await tx('users').where({ id: memberId, deletedAt: null }).first()
    if (!member) throw passkeyRefused()
    const info = await verify(passkey, signed, { challenge, party }).catch((err) => {
      log.warn({ err, memberId, passkeyId: passkey.id }, 'sign-in with a passkey refused')
      throw passkeyRefused()
    })
    const { newCounter: counter, credentialBackedUp: backedUp } = info
    await recordPasskeyUse(tx, passkey.id, { counter, backedUp })
    return member
  })
}
