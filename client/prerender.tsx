import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { NAME_MARK } from '#contract/first-screen'
import type { User } from '#rules/snapshots'
import { preloadScreen, titleOf } from './app.tsx'
import { setUser } from './data/member-data.ts'
import { documentTitle } from './layout/use-route-change.ts'
import { Root } from './root.tsx'

/** Screens whose shell shows nothing of the member but the name. */
const SHELLS = ['/mine', '/wallet', '/tasks', '/team', '/network', '/swap']

const SOMEBODY: User = {
  id: 0,
  username: NAME_MARK,
  email: '',
  fullName: null,
  phone: null,
  avatar: null,
  referralCode: null,
  kycStatus: 'unverified',
  kycDocumentType: null,
  kycDocumentUrl: null,
}

/** The query client notifies the atoms in a 0 ms timer. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

const at = (path: string) => (
  <Router ssrPath={path} ssrSearch="">
    <Root />
  </Router>
)

/** The sign-in page of a visitor as HTML, for the build. The browser hydrates it. */
export async function renderAuthPage(): Promise<{ title: string; html: string }> {
  setUser(null)
  await Promise.all([preloadScreen('/auth'), settled()])
  return { title: documentTitle(titleOf('/auth')), html: renderToString(at('/auth')) }
}

/**
 * The screens of a member before their data, by path. The browser shows them until its own first
 * render replaces them.
 */
export async function renderShells(): Promise<Record<string, string>> {
  setUser(SOMEBODY)
  await Promise.all([...SHELLS.map(preloadScreen), settled()])
  return Object.fromEntries(SHELLS.map((path) => [path, renderToStaticMarkup(at(path))]))
}
