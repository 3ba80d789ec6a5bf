/** Rows of each page of activity that the client asks for. */
export const ACTIVITY_PAGE = 20
/** Largest page of the activity; what a client without parameters gets. */
export const ACTIVITY_MAX = 100
/** Rows of each page of the inbox. */
export const INBOX_PAGE = 25
/** Team members in GET /api/referral/info and in each further page. */
export const TEAM_PAGE = 100
/** Most ids in an answer of GET /api/referral/mining; `total` counts all. */
export const TEAM_MINING_MAX = 1_000
