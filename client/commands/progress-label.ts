import { RETRYING } from '#client/ui/button.tsx'
import type { CommandState } from './command-state.ts'

/** Label of a busy button while its command waits for the server. */
export const WAITING = 'Waiting…'

/** The label of a busy button; `pendingLabel` while its first request is on its way. */
export function progressLabel<L>(state: CommandState, pendingLabel: L): L | string {
  if (state === 'retrying' || state === 'refusing') return RETRYING
  return state === 'waiting' || state === 'undoing' ? WAITING : pendingLabel
}
