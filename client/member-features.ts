import { definitionOf } from './all-commands.ts'
import { startCommands } from './commands/commands.ts'
import { store } from './data/query-cache.ts'
import { whenIdle } from './first-load/when-idle.ts'
import { followMemberLanguage } from './language-switch/language-choice.ts'
import { loadPagesWhile } from './layout/view-transitions.ts'
import { connectionAtom } from './live/connection-state.ts'
import { startLive } from './live/live.ts'
import { keepInstallPrompt } from './offline/install-prompt.ts'
import { keepSnapshots, startRestore } from './offline/snapshots.ts'

/** A file that cannot be loaded is loaded at the next start. */
function startBadge(): void {
  import('./live/app-badge.ts').then(
    ({ followBadge }) => followBadge(),
    () => {},
  )
}

/** After a code file failed to load, navigation loads whole pages: some browsers do not load the file again. */
function followMissingCode(): void {
  window.addEventListener('vite:preloadError', () =>
    loadPagesWhile(() => store.get(connectionAtom).state !== 'offline'),
  )
}

/** What only members need; a visitor's page does not load it. */
export function startMemberFeatures(): void {
  // The first read of the user may fail and restore: set up before anything reads.
  startRestore()
  followMissingCode()
  followMemberLanguage()
  startCommands(definitionOf)
  startLive()
  keepSnapshots()
  keepInstallPrompt()
  void whenIdle().then(startBadge)
}
