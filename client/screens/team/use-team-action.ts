import { useAtomValue } from 'jotai'
import { RETRYING } from '#client/ui/button.tsx'
import { type TeamAction, teamActionAtom } from './team-actions.ts'

/** How the button of an action looks: one action of the team runs at a time. */
export function useTeamAction(action: TeamAction) {
  const running = useAtomValue(teamActionAtom)
  const busy = running?.action === action
  return {
    disabled: running !== null,
    busy,
    busyLabel: busy && running.retrying ? RETRYING : undefined,
  }
}
