import type { User } from '#rules/members/account-snapshots'
import type { Answers } from './routes.ts'

/** Id of the element in a page that holds its `InitialData` as JSON. */
export const INITIAL_DATA_ID = 'initial-data'

/** Name of the `meta` element in a page that holds the public keys of the seals as JSON. */
export const SEAL_KEYS_NAME = 'seal-keys'

/** Stands for the user name in the shells of the build, and alone in an element for its first letter. */
export const USERNAME_PLACEHOLDER = '\ue000'

/** Stands for the full name, or the user name of a member without one. */
export const FULL_NAME_PLACEHOLDER = '\ue001'

/** Stands for the e-mail address. */
export const EMAIL_PLACEHOLDER = '\ue002'

/** Stands for the referral code. */
export const REFERRAL_CODE_PLACEHOLDER = '\ue003'

/** Key of the shell of the account of a member without a referral code. */
export const ACCOUNT_WITHOUT_CODE = '/account#no-code'

/** Key of the shell of a view of the account (`/account?view=…`), which does not show the profile. */
export const ACCOUNT_VIEW = '/account#view'

/** Key of the shell of the view Earnings of the wallet. */
export const WALLET_VIEW = '/wallet#view'

/** Key of the shell of the wallet without assets among the shells, which are named by their paths. */
export const EMPTY_WALLET = '/wallet#empty'

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
