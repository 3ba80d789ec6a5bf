import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/space-grotesk/wght.css'
import './theme.css'
import { Provider } from 'jotai'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#client/app.tsx'
import { store } from '#client/data.ts'
import { startKeeping } from '#client/keeping.ts'
import { startLive } from '#client/live.ts'
import { followSignIn } from '#client/sign-in.ts'
import { registerWorker } from '#client/worker/update.ts'

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
