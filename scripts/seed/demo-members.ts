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

/** Prints who can sign in after `seedDemo`. */
export function printDemoMembers(): void {
  console.log(`  sign in as   ${DEMO_LEADER} (running session, wallet, team, pending rewards)`)
  console.log(`  or as        ${DEMO_NEWCOMER} (no history), ${DEMO_TEAM.join(', ')}`)
  console.log(`  password     ${DEMO_PASSWORD}`)
}
