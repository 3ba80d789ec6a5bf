import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/space-grotesk/wght.css'
import './theme.css'
import { Provider } from 'jotai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from '#client/app.tsx'
import { definitionOf } from './command-definitions.ts'
import { startCommands } from './commands/commands.ts'
import { store } from './data/member-data.ts'
import { startLanguage } from './language-switch/language-choice.ts'
import { followMemberLanguage } from './language-switch/member-language.ts'
import { crossfade } from './layout/navigation/view-transitions.ts'
import { startLive } from './live/live.ts'
import { keepSnapshots } from './offline/keep-snapshots.ts'
import { startRestore } from './offline/restore.ts'
import { registerWorker } from './offline/worker/register-worker.ts'
import { startPush } from './push/start-push.ts'
import { followSignIn } from './sign-in/sign-in.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// The first read of the user may fail and restore: set up before anything reads.
startRestore()
followSignIn()
followMemberLanguage()
startCommands(definitionOf)
startLive()
keepSnapshots()
registerWorker()
startPush()
// The first render has the texts of its language.
void startLanguage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <Router aroundNav={crossfade}>
          <App />
        </Router>
      </Provider>
    </StrictMode>,
  ),
)
