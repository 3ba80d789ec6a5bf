import type { RouteName } from '#contract/routes'
import type { RouteHandler } from '#gateway/http/route'
import * as account from './account/account.ts'
import * as passwordChange from './account/password-change.ts'
import * as privacy from './account/privacy.ts'
import * as profile from './account/profile.ts'
import * as reminders from './account/reminders.ts'
import { appInfo } from './app.ts'
import * as commands from './commands.ts'
import * as passkeyLogin from './factors/passkey-login.ts'
import * as passkeys from './factors/passkeys.ts'
import * as authenticator from './factors/second-factor.ts'
import * as secondStep from './factors/second-step.ts'
import * as mining from './mining/mining.ts'
import * as tasks from './mining/tasks.ts'
import { network } from './network.ts'
import * as availability from './sign-in/availability.ts'
import * as emailCodes from './sign-in/email-codes.ts'
import * as password from './sign-in/password.ts'
import * as signIns from './sign-in/sign-ins.ts'
import * as team from './team.ts'
import * as ledger from './wallet/ledger.ts'
import { statement } from './wallet/statement.ts'
import * as wallet from './wallet/wallet.ts'

/** The handler of every route; the type requires one for each route of the contract. */
export const handlers: { [R in RouteName]: RouteHandler<R> } = {
  'GET /api/user': account.currentUser,
  'POST /api/login': account.login,
  'POST /api/login/second-factor': secondStep.login,
  'POST /api/passkey/options': passkeyLogin.options,
  'POST /api/passkey/login': passkeyLogin.login,
  'POST /api/register': account.register,
  'POST /api/logout': account.logout,
  'GET /api/check/username/:username': availability.username,
  'GET /api/check/email/:email': availability.email,
  'GET /api/check/referral-code/:code': availability.referralCode,
  'POST /api/verify/send-otp': emailCodes.sendOtp,
  'POST /api/verify/verify-otp': emailCodes.verifyOtp,
  'GET /api/mining/status': mining.status,
  'POST /api/mining/start': mining.start,
  'POST /api/mining/stop': mining.stop,
  'POST /api/mining/claim': mining.claim,
  'GET /api/mining/days': mining.days,
  'GET /api/wallet': wallet.wallet,
  'GET /api/wallet/activity': wallet.activity,
  'GET /api/wallet/activity/sums': wallet.olderSums,
  'GET /api/wallet/credits': wallet.credits,
  'GET /api/ledger/receipt': ledger.receipt,
  'GET /api/ledger/roots': ledger.roots,
  'GET /api/wallet/statement': statement,
  'GET /api/referral/info': team.info,
  'GET /api/referral/members': team.members,
  'GET /api/referral/mining': team.mining,
  'GET /api/referral/check-milestones': team.milestones,
  'POST /api/referral/generate-code': team.generateCode,
  'POST /api/referral/apply-code': team.applyCode,
  'GET /api/network': network,
  'GET /api/tasks/completed': tasks.completed,
  'POST /api/tasks/complete': tasks.complete,
  'POST /api/commands/cancel': commands.cancel,
  'PATCH /api/user/profile': profile.update,
  'GET /api/user/kyc': profile.identityCheck,
  'POST /api/user/kyc': profile.kyc,
  'GET /api/user/sign-ins': signIns.list,
  'POST /api/user/sign-ins/end': signIns.end,
  'POST /api/user/sign-ins/end-others': signIns.endOthers,
  'POST /api/user/password': passwordChange.change,
  'GET /api/user/factors': passkeys.list,
  'POST /api/user/passkeys/options': passkeys.options,
  'POST /api/user/passkeys': passkeys.add,
  'POST /api/user/passkeys/rename': passkeys.rename,
  'POST /api/user/passkeys/remove': passkeys.remove,
  'POST /api/user/authenticator/set-up': authenticator.setUp,
  'POST /api/user/authenticator/confirm': authenticator.confirm,
  'POST /api/user/authenticator/recovery-codes': authenticator.renew,
  'POST /api/user/authenticator/remove': authenticator.turnOff,
  'POST /api/user/export': privacy.exportData,
  'POST /api/user/delete': privacy.deleteAccount,
  'GET /api/reminders': reminders.settings,
  'POST /api/reminders/mail': reminders.mail,
  'POST /api/reminders/push': reminders.addDevice,
  'POST /api/reminders/push/remove': reminders.removeDevice,
  'POST /api/password/forgot': password.forgot,
  'POST /api/password/reset': password.reset,
  'GET /api/app': appInfo,
}
