import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/space-grotesk/wght.css'
import './theme.css'
import {
  nextTask,
  onFirstInteraction,
  reloadAfterFailure,
  shellPainted,
} from './first-load/before-app.ts'
import { recordClicks } from './first-load/replay-clicks.ts'
import { canUsePasskeys } from './sign-in/can-use-passkeys.ts'

async function startApp(root: HTMLElement): Promise<void> {
  try {
    // Evaluated in a separate task before our modules.
    await import('react-dom/client')
    await nextTask()
    const { start } = await import('./start.tsx')
    await start(root)
  } catch {
    reloadAfterFailure()
  }
}

/** A prerendered page is complete without code, which is loaded when the visitor uses it. */
async function startWhenUsed(root: HTMLElement): Promise<void> {
  recordClicks()
  if (!canUsePasskeys()) root.dataset.passkeys = 'none'
  // A phone that unloaded the page loads it again for a visitor who has used it (screens/auth).
  if (!window.history.state) await onFirstInteraction()
  await startApp(root)
}

/** After the paint only: before it the code would share the network with the styles. */
function loadNamedCode(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-after-paint]')) {
    link.rel = 'modulepreload'
  }
}

async function startAtOnce(root: HTMLElement): Promise<void> {
  if (root.hasChildNodes()) {
    recordClicks()
    await shellPainted()
  }
  loadNamedCode()
  await startApp(root)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// Read by public/recover.js, which the server may have of another release.
root.dataset.runs = ''
void (root.dataset.page === undefined ? startAtOnce(root) : startWhenUsed(root))
