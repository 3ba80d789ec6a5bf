import { useAtomValue } from 'jotai'
import { RETRYING } from '#client/ui/button.tsx'
import { type TeamCommand, teamCommandAtom } from './team-commands.ts'

/** Button props of a team command: all are disabled while one command runs. */
export function useTeamCommand(command: TeamCommand) {
  const running = useAtomValue(teamCommandAtom)
  const busy = running?.command === command
  return {
    disabled: running !== null,
    busy,
    busyLabel: busy && running.retrying ? RETRYING : undefined,
  }
}
