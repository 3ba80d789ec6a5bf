import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Root } from './app.tsx'
import { currentUser, memberIdAtom, memberInCookie, setUser } from './data/member-data.ts'
import { store } from './data/query-cache.ts'
import { nextTask, reloadAfterFailure } from './first-load/before-app.ts'
import { replayOnScreen } from './first-load/hydrate-replay.ts'
import { adoptInitialData, readInitialData } from './first-load/initial-data.ts'
import { endRecording, INTERACTIVE } from './first-load/replay-clicks.ts'
import { whenIdle } from './first-load/when-idle.ts'
import { loadTexts } from './language/load-texts.ts'
import {
  deviceLanguage,
  pageLanguage,
  showLanguage,
  startLanguage,
} from './language-switch/language-choice.ts'
import { preloadScreen } from './lazy-screens.ts'
import { registerWorker } from './offline/register-worker.ts'
import { followSignIn } from './sign-in/sign-in.ts'

/** Whether the features are started or being loaded. */
let hasFeatures = false

const loadFeatures = () =>
  import('./member-features.ts').then(
    ({ startMemberFeatures }) => startMemberFeatures,
    () => undefined,
  )

/** Without the features the page does nothing, and browsers do not load a failed file again before a reload. */
async function startForMember(): Promise<void> {
  if (hasFeatures || !currentUser()) return
  hasFeatures = true
  const start = await loadFeatures()
  if (start) start()
  else reloadAfterFailure()
}

function followMember(): void {
  store.sub(memberIdAtom, () => void startForMember())
  void startForMember()
}

/** A file that cannot be loaded now is loaded at the next start. */
async function startRest(): Promise<void> {
  await whenIdle()
  registerWorker()
  loadTexts('errors').catch(() => {})
  import('./push/push.ts').then(
    ({ startPush }) => startPush(),
    () => {},
  )
}

/** Nobody is signed in, so a prerendered page equals React's first render and is hydrated. */
async function startVisitor(root: HTMLElement): Promise<void> {
  const isPrerendered = root.dataset.page !== undefined
  setUser(null)
  followSignIn()
  followMember()
  // The language first: the screen loads its texts in it.
  await Promise.all([
    startLanguage(isPrerendered ? pageLanguage() : deviceLanguage()),
    preloadScreen(window.location.pathname),
    // A press that is repeated at once may be refused by the form.
    loadTexts('errors'),
  ])
  if (!isPrerendered) return createRoot(root).render(<Root />)
  // The gateway may have chosen another language: it reads no storage and not every preference.
  root.addEventListener(INTERACTIVE, () => void showLanguage(deviceLanguage()), { once: true })
  hydrateRoot(root, <Root />)
}

async function startMember(root: HTMLElement): Promise<void> {
  // Another tab may have signed in while the prerendered page was shown here: it is replaced.
  if (root.dataset.page !== undefined) endRecording()
  delete root.dataset.page
  const first = readInitialData()
  const [, start] = await Promise.all([
    startLanguage(deviceLanguage(first?.user.language)),
    loadFeatures(),
    preloadScreen(window.location.pathname),
  ])
  await nextTask()
  if (first) adoptInitialData(first)
  await nextTask()
  // Before anything reads: the features restore the member if the first read fails.
  hasFeatures = start !== undefined
  start?.()
  followSignIn()
  followMember()
  await nextTask()
  replayOnScreen(root)
  // As a transition React renders in slices, between which a press is handled; the shell is replaced at once.
  startTransition(() => createRoot(root).render(<Root />))
}

export async function start(root: HTMLElement): Promise<void> {
  // Its modules have just been evaluated.
  await nextTask()
  if (memberInCookie() === undefined) await startVisitor(root)
  else await startMember(root)
  void startRest()
}
