import type { User } from '#rules/members/account-snapshots'
import type { Answers } from './routes.ts'

/** Id of the element in a page that holds its `InitialData` as JSON. */
export const INITIAL_DATA_ID = 'initial-data'

/** Name of the `meta` element in a page that holds the public keys of the seals as JSON. */
export const SEAL_KEYS_NAME = 'seal-keys'

/** What stands for a member's data in the shells of the build. */
export const PLACEHOLDERS = {
  /** Alone in an element it stands for the first letter. */
  username: '\ue000',
  /** Or the user name of a member without one. */
  fullName: '\ue001',
  email: '\ue002',
  referralCode: '\ue003',
}

/** Keys of the shells that are not named by their paths alone. */
export const SHELL_KEYS = {
  accountWithoutCode: '/account#no-code',
  /** A view of the account (`/account?view=…`), which does not show the profile. */
  accountView: '/account#view',
  /** The view Earnings of the wallet. */
  walletView: '/wallet#view',
  emptyWallet: '/wallet#empty',
}

/** The reads of a first screen that a page may hold. */
export type FirstReads = {
  [Path in
    | '/api/mining/status'
    | '/api/wallet'
    | '/api/inbox/state'
    | '/api/referral/info'
    | '/api/tasks'
    | '/api/tasks/completed'
    | '/api/network']: Answers[`GET ${Path}`]
}

/** What the first screen of a signed-in member shows: each answer as GET of its URL gives it. */
export type InitialData = { user: User; answers: Partial<FirstReads> }
