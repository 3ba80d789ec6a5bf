import { DEMO_LEADER, DEMO_NEWCOMER, DEMO_PASSWORD, DEMO_TEAM } from './demo-members.ts'

/** Prints who can sign in after `seedDemo`. */
export function printDemoMembers(): void {
  console.log(`  sign in as   ${DEMO_LEADER} (running session, wallet, team, pending rewards)`)
  console.log(`  or as        ${DEMO_NEWCOMER} (no history), ${DEMO_TEAM.join(', ')}`)
  console.log(`  password     ${DEMO_PASSWORD}`)
}
