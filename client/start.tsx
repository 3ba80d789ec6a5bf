import { createRoot, hydrateRoot } from 'react-dom/client'
import { preloadScreen } from './app.tsx'
import { memberInCookie } from './data/member-cookie.ts'
import { currentUser, memberIdAtom, setUser, store } from './data/member-data.ts'
import { takeFirstScreen } from './loading/first-screen.ts'
import { registerWorker } from './offline/worker/register-worker.ts'
import { Root } from './root.tsx'
import { followSignIn } from './sign-in/sign-in.ts'

let hasFeatures = false

/** What starts the members' features; undefined if its code could not be loaded. */
const loadFeatures = () =>
  import('./member-features.ts').then(
    ({ startMemberFeatures }) => startMemberFeatures,
    () => undefined,
  )

function startFeatures(start: (() => void) | undefined): void {
  if (!start || hasFeatures) return
  hasFeatures = true
  start()
}

/** Starts the features when a member signs in on this page. */
function followMember(): void {
  store.sub(memberIdAtom, () => {
    if (currentUser() && !hasFeatures) void loadFeatures().then(startFeatures)
  })
}

/** The page of a visitor: nobody is signed in, so a prerendered page is what React renders first. */
async function startVisitor(root: HTMLElement): Promise<void> {
  setUser(null)
  followSignIn()
  followMember()
  await preloadScreen(window.location.pathname)
  if (root.dataset.page !== undefined) hydrateRoot(root, <Root />)
  else createRoot(root).render(<Root />)
}

/** The page of a member, or of one whose sign-in may have ended. */
async function startMember(root: HTMLElement): Promise<void> {
  const [start] = await Promise.all([loadFeatures(), preloadScreen(window.location.pathname)])
  takeFirstScreen()
  // Before anything reads: the features restore the member if the first read fails.
  startFeatures(start)
  followSignIn()
  followMember()
  // Replaces the shell of the build, if the page holds one, in the same frame.
  createRoot(root).render(<Root />)
}

/** Starts the app in `root`, which may hold HTML of the build. */
export function start(root: HTMLElement): Promise<void> {
  registerWorker()
  return memberInCookie() === undefined ? startVisitor(root) : startMember(root)
}
