import { definitionOf } from './all-commands.ts'
import { startCommands } from './commands/commands.ts'
import { followMemberLanguage } from './language-switch/language-choice.ts'
import { startLive } from './live/live.ts'
import { keepSnapshots, startRestore } from './offline/snapshots.ts'

/** Starts what only members need; a visitor's page does not load it. */
export function startMemberFeatures(): void {
  // The first read of the user may fail and restore: set up before anything reads.
  startRestore()
  followMemberLanguage()
  startCommands(definitionOf)
  startLive()
  keepSnapshots()
}
