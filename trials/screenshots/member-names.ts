/** Members whose screens are shown: three of the demo data, and those of `seedMembers`. */
export const MEMBERS = [
  'demo',
  'demo-ada',
  'demo-new',
  'demo-finished',
  'demo-rich',
  'demo-leader',
  'demo-frozen',
] as const

export type MemberName = (typeof MEMBERS)[number]

/** The referral code of `demo-leader`. */
export const LEADER_CODE = 'TESPLEAD26'
