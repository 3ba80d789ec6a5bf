import {
  addPasskey,
  readPasskeys,
  removePasskey,
  renamePasskey,
} from '#db/members/passkeys/passkeys'
import { hasSecondFactor, readAuthenticator } from '#db/members/second-factor/second-factor'
import type { Db } from '#db/postgres/statements/transaction'
import { passkeyCreation, verifyNewPasskey } from '#gateway/auth/passkeys/add-passkey'
import { confirmPassword } from '#gateway/auth/passwords'
import { useCode } from '#gateway/auth/second-factor'
import { command, type RouteHandler, signedIn } from '#gateway/http/route'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { RuleError } from '#rules/rule-error'
import { changeFactors, signedInMember } from './change-factors.ts'

/** The member's ways to sign in besides the password, and passkeys among them. */

async function readFactors(db: Db, memberId: number): Promise<SignInFactors> {
  const passkeys = await readPasskeys(db, memberId)
  return { passkeys, authenticator: await readAuthenticator(db, memberId) }
}

export const list = signedIn<'GET /api/user/factors'>(({ services, memberId }) =>
  readFactors(services.db, memberId),
)

/** A passkey signs in without a one-time code, so adding one takes a code while they are on. */
export const options: RouteHandler<'POST /api/user/passkeys/options'> = async (call) => {
  const { services, ctx, body, now } = call
  const member = await signedInMember(call)
  await confirmPassword(services, member.id, body.password)
  const hasCodes = await hasSecondFactor(services.db, member.id)
  if (hasCodes) {
    if (!body.code) throw new RuleError('second_factor_invalid', 'Please enter the code')
    await useCode(services, ctx, { member, code: body.code, now })
  }
  return { options: await passkeyCreation(services, ctx, member, hasCodes) }
}

/** Without password and code: the challenge was made for this sign-in after they were confirmed. */
export const add: RouteHandler<'POST /api/user/passkeys'> = async (call) => {
  const { services, ctx, body } = call
  const member = await signedInMember(call)
  const hasCodes = await hasSecondFactor(services.db, member.id)
  const passkey = await verifyNewPasskey(services, ctx, body, hasCodes)
  return changeFactors(call, member, 'passkeyAdded', async (tx) => {
    await addPasskey(tx, member.id, passkey)
    return readFactors(tx, member.id)
  })
}

export const rename = command<'POST /api/user/passkeys/rename'>(
  [],
  async ({ tx, memberId, body }) => {
    await renamePasskey(tx, memberId, { ...body, name: body.name.trim() })
    return readFactors(tx, memberId)
  },
)

export const remove: RouteHandler<'POST /api/user/passkeys/remove'> = async (call) => {
  const { services, body } = call
  const member = await signedInMember(call)
  await confirmPassword(services, member.id, body.password)
  return changeFactors(call, member, 'passkeyRemoved', async (tx) => {
    await removePasskey(tx, member.id, body.passkeyId)
    return readFactors(tx, member.id)
  })
}
