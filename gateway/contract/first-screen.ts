import type { User } from '#rules/snapshots'
import type { Answers } from './routes.ts'

/** Id of the element in a page that holds its `FirstScreen` as JSON. */
export const FIRST_SCREEN_ID = 'first-screen'

/** Stands for the user name in the shells of the build, and alone in an element for its first letter. */
export const NAME_MARK = '\ue000'

/** The reads of a first screen that a page may hold. */
export type FirstReads = {
  [Path in
    | '/api/mining/status'
    | '/api/wallet'
    | '/api/referral/info'
    | '/api/tasks/completed'
    | '/api/network']: Answers[`GET ${Path}`]
}

/** What the first screen of a signed-in member shows: each answer as GET of its URL gives it. */
export type FirstScreen = { user: User; answers: Partial<FirstReads> }
