import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/space-grotesk/wght.css'
import './theme.css'
import { Provider } from 'jotai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#client/app.tsx'
import { store } from './data/member-data.ts'
import { startLive } from './live/live.ts'
import { startKeeping } from './offline/keep-snapshots.ts'
import { registerWorker } from './offline/worker/update.ts'
import { followSignIn } from './sign-in/sign-in.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followSignIn()
startLive()
startKeeping()
registerWorker()
createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <App />
    </Provider>
  </StrictMode>,
)
