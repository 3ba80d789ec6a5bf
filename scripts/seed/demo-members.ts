/** Sign-in of every demo member. Public, so `npm run seed` refuses production. */
export const DEMO_PASSWORD = 'demo-password'

/** The member whose screens show every feature. */
export const DEMO_LEADER = 'demo'

/** The team of the demo member: one more than its first milestone needs. */
export const DEMO_TEAM = [
  'demo-ada',
  'demo-alan',
  'demo-barbara',
  'demo-dennis',
  'demo-donald',
  'demo-edsger',
  'demo-grace',
  'demo-ken',
  'demo-linus',
  'demo-margaret',
  'demo-radia',
]

/** A member without any history. */
export const DEMO_NEWCOMER = 'demo-new'
