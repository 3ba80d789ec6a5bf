import { ACCOUNT_STATES } from './states/account.ts'
import { AUTH_STATES } from './states/auth.ts'
import { EARNINGS_STATES } from './states/earnings.ts'
import { INBOX_STATES } from './states/inbox.ts'
import { MINE_STATES } from './states/mine.ts'
import { OTHER_STATES } from './states/other.ts'
import type { State } from './states/state.ts'
import { TASK_STATES } from './states/tasks.ts'
import { TEAM_STATES } from './states/team.ts'
import { WALLET_STATES } from './states/wallet.ts'

export const STATES: State[] = [
  ...AUTH_STATES,
  ...MINE_STATES,
  ...WALLET_STATES,
  ...EARNINGS_STATES,
  ...TASK_STATES,
  ...TEAM_STATES,
  ...ACCOUNT_STATES,
  ...INBOX_STATES,
  ...OTHER_STATES,
]
