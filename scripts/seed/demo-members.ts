/** Public, so `npm run seed` refuses production. */
export const DEMO_PASSWORD = 'demo-password'

/** Whose screens show every feature. */
export const DEMO_LEADER = 'demo'

/** One more than the first milestone needs. */
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

export const DEMO_NEWCOMER = 'demo-new'

export function printDemoMembers(): void {
  console.log(`  sign in as   ${DEMO_LEADER} (running session, wallet, team, pending rewards)`)
  console.log(`  or as        ${DEMO_NEWCOMER} (no history), ${DEMO_TEAM.join(', ')}`)
  console.log(`  password     ${DEMO_PASSWORD}`)
}
