import type Koa from 'koa'
import type { PasskeyRequest } from '#contract/passkeys'
import type { BodyOf } from '#contract/routes'
import type { MemberRow } from '#db/members/members'
import { lockPasskey, recordPasskeyUse, type StoredPasskey } from '#db/members/passkeys'
import { inTransaction } from '#db/postgres/statements/transaction'
import type { Services } from '#gateway/services/services'
import { PASSKEY_CHALLENGE_MS } from '#rules/constants'
import {
  newChallenge,
  passkeyRefused,
  type RelyingParty,
  relyingParty,
  takeChallenge,
  webAuthn,
} from './challenges.ts'

/** What the browser passes to `navigator.credentials.get`: any passkey of this domain may answer. */
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

/** Verifies a signature and its counter; the library throws with the reason. */
async function verify(passkey: StoredPasskey, signed: Signature, { challenge, party }: Expected) {
  const { verifyAuthenticationResponse } = await webAuthn()
  const { id, clientDataJSON, authenticatorData, signature } = signed
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  })
  if (!verified) throw new Error('wrong signature')
  return authenticationInfo
}

/**
 * The member who signed the challenge with a passkey. A counter that does not rise is that of a copied
 * authenticator, and is refused.
 * @throws {RuleError} `passkey_refused`
 */
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
