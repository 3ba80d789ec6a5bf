import { lockSignedIn } from '#db/members/execute-once'
import { userView } from '#db/members/members'
import { authenticatorUri, base32 } from '#db/members/one-time-code'
import {
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
  setUpAuthenticator,
  useFactorCode,
} from '#db/members/second-factor'
import { inTransaction } from '#db/postgres/statements/transaction'
import { completeSignIn } from '#gateway/auth/complete-sign-in'
import { limitsOfSignIn } from '#gateway/auth/device-cookie'
import { confirmPassword } from '#gateway/auth/passwords'
import { countedTry, readSecondStep, useCode } from '#gateway/auth/second-factor'
import { routesOf } from '#gateway/http/route'
import { NETWORK_NAME } from '#rules/constants'
import { changeFactors, signedInMember } from './change-factors.ts'

export const secondFactorRoutes = routesOf('account', {
  'POST /api/login/second-factor': {
    summary: 'Ends a sign-in by a one-time code or a recovery code, after the password.',
    access: 'anyone',
    errors: [
      'second_step_expired',
      'second_factor_invalid',
      'second_factor_off',
      'account_frozen',
      'too_many_requests',
    ],
    handle: async ({ services, ctx, body, now }) => {
      const { member, remember } = await readSecondStep(services, ctx, now)
      await useCode(services, ctx, { member, code: body.code, now })
      await completeSignIn(services, ctx, member, { remember, now })
      await services.limits.reset(...limitsOfSignIn(services, ctx, member, '').counts[0])
      return userView(member)
    },
  },
  'POST /api/user/authenticator/set-up': {
    summary: 'Makes a secret for an authenticator app; the first code switches it on.',
    errors: ['wrong_password', 'second_factor_on', 'too_many_requests'],
    handle: async (call) => {
      const { services, ctx, body } = call
      const { id, username, authEpoch: epoch } = await signedInMember(call)
      await confirmPassword(services, ctx, id, body.password)
      const secret = await inTransaction(services.db, async (tx) => {
        await lockSignedIn(tx, { memberId: id, epoch })
        return setUpAuthenticator(tx, services.config.dataKey, id)
      })
      return { secret: base32(secret), uri: authenticatorUri(NETWORK_NAME, username, secret) }
    },
  },
  'POST /api/user/authenticator/confirm': {
    summary: 'Switches one-time codes on by the first code, within 15 minutes after the set-up.',
    errors: ['second_factor_invalid', 'second_factor_on', 'second_factor_off', 'too_many_requests'],
    handle: async (call) => {
      const { services, ctx, body, now } = call
      const member = await signedInMember(call)
      const code = { memberId: member.id, code: body.code, now }
      const recoveryCodes = await countedTry(services, ctx, { member, now }, () =>
        changeFactors(call, member, 'codesOn', (tx) =>
          confirmAuthenticator(tx, services.config.dataKey, code),
        ),
      )
      return { recoveryCodes }
    },
  },
  'POST /api/user/authenticator/recovery-codes': {
    summary: 'Replaces the recovery codes.',
    errors: ['wrong_password', 'second_factor_invalid', 'second_factor_off', 'too_many_requests'],
    handle: async (call) => {
      const { services, ctx, body, now } = call
      const { dataKey } = services.config
      const member = await signedInMember(call)
      await confirmPassword(services, ctx, member.id, body.password)
      const code = { memberId: member.id, code: body.code, now }
      const recoveryCodes = await countedTry(services, ctx, { member, now }, () =>
        changeFactors(call, member, 'recoveryRenewed', async (tx) => {
          await useFactorCode(tx, dataKey, code)
          return renewRecoveryCodes(tx, dataKey, member.id)
        }),
      )
      return { recoveryCodes }
    },
  },
  'POST /api/user/authenticator/remove': {
    summary: 'Switches one-time codes off.',
    errors: ['wrong_password', 'second_factor_invalid', 'second_factor_off', 'too_many_requests'],
    handle: async (call) => {
      const { services, ctx, body, now } = call
      const member = await signedInMember(call)
      await confirmPassword(services, ctx, member.id, body.password)
      const code = { memberId: member.id, code: body.code, now }
      await countedTry(services, ctx, { member, now }, () =>
        changeFactors(call, member, 'codesOff', async (tx) => {
          await useFactorCode(tx, services.config.dataKey, code)
          await removeAuthenticator(tx, member.id)
        }),
      )
      return { success: true, message: 'One-time codes are off' }
    },
  },
})
