import { authenticatorUri, base32 } from '#db/members/second-factor/one-time-code'
import {
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
  setUpAuthenticator,
  useFactorCode,
} from '#db/members/second-factor/second-factor'
import { inTransaction } from '#db/postgres/statements/transaction'
import { confirmPassword } from '#gateway/auth/passwords'
import { countedTry } from '#gateway/auth/second-factor'
import type { RouteHandler } from '#gateway/http/route'
import { NETWORK_NAME } from '#rules/constants'
import { changeFactors, signedInMember } from './change-factors.ts'

/** One-time codes of an authenticator app: set up, confirm, new recovery codes, switch off. */

export const setUp: RouteHandler<'POST /api/user/authenticator/set-up'> = async (call) => {
  const { services, body } = call
  const { id, username } = await signedInMember(call)
  await confirmPassword(services, id, body.password)
  const secret = await inTransaction(services.db, (tx) =>
    setUpAuthenticator(tx, services.config.dataKey, id),
  )
  return { secret: base32(secret), uri: authenticatorUri(NETWORK_NAME, username, secret) }
}

export const confirm: RouteHandler<'POST /api/user/authenticator/confirm'> = async (call) => {
  const { services, ctx, body, now } = call
  const member = await signedInMember(call)
  const code = { memberId: member.id, code: body.code, now }
  const recoveryCodes = await countedTry(services, ctx, member, () =>
    changeFactors(call, member, 'codesOn', (tx) =>
      confirmAuthenticator(tx, services.config.dataKey, code),
    ),
  )
  return { recoveryCodes }
}

export const renew: RouteHandler<'POST /api/user/authenticator/recovery-codes'> = async (call) => {
  const { services, ctx, body, now } = call
  const { dataKey } = services.config
  const member = await signedInMember(call)
  await confirmPassword(services, member.id, body.password)
  const code = { memberId: member.id, code: body.code, now }
  const recoveryCodes = await countedTry(services, ctx, member, () =>
    changeFactors(call, member, 'recoveryRenewed', async (tx) => {
      await useFactorCode(tx, dataKey, code)
      return renewRecoveryCodes(tx, dataKey, member.id)
    }),
  )
  return { recoveryCodes }
}

export const turnOff: RouteHandler<'POST /api/user/authenticator/remove'> = async (call) => {
  const { services, ctx, body, now } = call
  const member = await signedInMember(call)
  await confirmPassword(services, member.id, body.password)
  const code = { memberId: member.id, code: body.code, now }
  await countedTry(services, ctx, member, () =>
    changeFactors(call, member, 'codesOff', async (tx) => {
      await useFactorCode(tx, services.config.dataKey, code)
      await removeAuthenticator(tx, member.id)
    }),
  )
  return { success: true, message: 'One-time codes are off' }
}
