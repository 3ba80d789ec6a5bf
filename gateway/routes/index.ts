import type { RouteName } from '#contract/routes'
import type { RouteHandler } from '#gateway/route'
import * as account from './account.ts'
import * as checks from './checks.ts'
import * as codes from './codes.ts'
import * as mining from './mining.ts'
import * as wallet from './wallet.ts'

/** Every route of the contract and its code; the type checks that none is missing. */
export const handlers: { [R in RouteName]: RouteHandler<R> } = {
  'GET /api/user': account.currentUser,
  'POST /api/login': account.login,
  'POST /api/register': account.register,
  'POST /api/logout': account.logout,
  'GET /api/check/username/:username': checks.username,
  'GET /api/check/email/:email': checks.email,
  'GET /api/check/referral-code/:code': checks.referralCode,
  'POST /api/verify/send-otp': codes.sendOtp,
  'POST /api/verify/verify-otp': codes.verifyOtp,
  'GET /api/mining/status': mining.status,
  'POST /api/mining/start': mining.start,
  'POST /api/mining/stop': mining.stop,
  'POST /api/mining/claim': mining.claim,
  'GET /api/wallet': wallet.wallet,
  'GET /api/wallet/activity': wallet.activity,
}
