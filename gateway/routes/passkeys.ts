import { userView } from '#db/members/members'
import {
  addPasskey,
  assertPasskeyFits,
  readPasskeys,
  removePasskey,
  renamePasskey,
} from '#db/members/passkeys'
import { hasSecondFactor, readAuthenticator } from '#db/members/second-factor'
import type { Db } from '#db/postgres/statements/transaction'
import { completeSignIn } from '#gateway/auth/complete-sign-in'
import { signInsOf } from '#gateway/auth/device-cookie'
import {
  memberOfSignature,
  passkeyCreation,
  passkeyRequest,
  verifyNewPasskey,
} from '#gateway/auth/passkeys'
import { confirmPassword } from '#gateway/auth/passwords'
import { useCode } from '#gateway/auth/second-factor'
import { command, routesOf, signedIn } from '#gateway/http/route'
import { clientIp } from '#gateway/security/client-ip'
import { networkBucket } from '#gateway/security/proof-of-work'
import { ipBucket } from '#gateway/services/rate-limits'
import { API_TEXTS } from '#rules/api-texts'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { RuleError } from '#rules/rule-error'
import { changeFactors, signedInMember } from './change-factors.ts'

async function readFactors(db: Db, memberId: number): Promise<SignInFactors> {
  const passkeys = await readPasskeys(db, memberId)
  return { passkeys, authenticator: await readAuthenticator(db, memberId) }
}

export const passkeyRoutes = routesOf('account', {
  'POST /api/passkey/options': {
    summary: 'Makes a challenge that a passkey signs, for this browser and five minutes.',
    access: 'anyone',
    errors: ['too_many_requests'],
    handle: async ({ services, ctx }) => {
      // Each view of the sign-in page asks for one, unasked, and many members may share an address.
      const ip = clientIp(ctx)
      await services.limits.use('passkey-challenge-address', ipBucket(ip))
      await services.limits.use('session-network', networkBucket(ip))
      return { options: await passkeyRequest(services, ctx) }
    },
  },
  /** No one-time code: the authenticator is a possession and verified its user. No e-mail code: not guessable. */
  'POST /api/passkey/login': {
    summary: 'Signs a member in by the signature of a passkey.',
    access: 'anyone',
    errors: ['passkey_refused', 'account_frozen', 'too_many_requests'],
    handle: async ({ services, ctx, body, now }) => {
      await services.limits.use('passkey-address', ipBucket(clientIp(ctx)))
      const member = await memberOfSignature(services, ctx, body)
      await services.limits.use('login-member', signInsOf(member.id, true))
      await completeSignIn(services, ctx, member, { remember: body.rememberMe ?? false, now })
      return userView(member)
    },
  },
  'GET /api/user/factors': {
    summary: 'Lists passkeys and the authenticator app of the member.',
    handle: signedIn(({ services, memberId }) => readFactors(services.db, memberId)),
  },
  /** A passkey signs in without a one-time code, so adding one takes a code while they are on. */
  'POST /api/user/passkeys/options': {
    summary: 'Makes a challenge for a new passkey, for this sign-in and five minutes.',
    errors: ['wrong_password', 'second_factor_invalid', 'passkeys_full', 'too_many_requests'],
    handle: async (call) => {
      const { services, ctx, body, now } = call
      const member = await signedInMember(call)
      await confirmPassword(services, ctx, member.id, body.password)
      // Before the authenticator makes a passkey that could never be used.
      await assertPasskeyFits(services.db, member.id)
      const hasCodes = await hasSecondFactor(services.db, member.id)
      if (hasCodes) {
        if (!body.code) throw new RuleError('second_factor_invalid', API_TEXTS.factorCodeMissing)
        await useCode(services, ctx, { member, code: body.code, now })
      }
      return { options: await passkeyCreation(services, ctx, member, hasCodes) }
    },
  },
  /** Without password and code: the challenge was made for this sign-in after they were confirmed. */
  'POST /api/user/passkeys': {
    summary: 'Adds a passkey.',
    errors: ['passkey_refused', 'passkeys_full'],
    handle: async (call) => {
      const { services, ctx, body } = call
      const member = await signedInMember(call)
      const hasCodes = await hasSecondFactor(services.db, member.id)
      const passkey = await verifyNewPasskey(services, ctx, body, hasCodes)
      return changeFactors(call, member, 'passkeyAdded', async (tx) => {
        await addPasskey(tx, member.id, passkey)
        return readFactors(tx, member.id)
      })
    },
  },
  'POST /api/user/passkeys/rename': {
    summary: 'Renames a passkey of the member.',
    idempotent: true,
    errors: ['not_found'],
    handle: command([], async ({ tx, memberId, body }) => {
      await renamePasskey(tx, memberId, { ...body, name: body.name.trim() })
      return readFactors(tx, memberId)
    }),
  },
  'POST /api/user/passkeys/remove': {
    summary: 'Removes a passkey of the member.',
    errors: ['wrong_password', 'not_found', 'too_many_requests'],
    handle: async (call) => {
      const { services, ctx, body } = call
      const member = await signedInMember(call)
      await confirmPassword(services, ctx, member.id, body.password)
      return changeFactors(call, member, 'passkeyRemoved', async (tx) => {
        await removePasskey(tx, member.id, body.passkeyId)
        return readFactors(tx, member.id)
      })
    },
  },
})
