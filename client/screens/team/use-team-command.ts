import { useAtomValue } from 'jotai'
import { progressLabel } from '#client/commands/progress-label.ts'
import { type TeamCommand, teamCommandAtom } from './team-commands.ts'

/** Button props of a team command: all are disabled while one command is under way. */
export function useTeamCommand(command: TeamCommand) {
  const running = useAtomValue(teamCommandAtom)
  const busy = running?.command === command
  return {
    disabled: running !== null,
    busy,
    busyLabel: busy ? progressLabel(running.state, undefined) : undefined,
  }
}
