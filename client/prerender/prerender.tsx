import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { setUser } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { documentTitle } from '#client/layout/navigation/use-route-change.ts'
import { preloadScreen } from '#client/lazy-screens.ts'
import { Root } from '#client/root.tsx'
import { NAME_MARK } from '#contract/first-screen'
import type { Language } from '#rules/members/languages'
import type { User } from '#rules/snapshots'

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
  language: null,
}

/** The query client notifies the atoms in a 0 ms timer. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

const at = (path: string) => (
  <Router ssrPath={path} ssrSearch="">
    <Root />
  </Router>
)

/** The sign-in page of a visitor as HTML, for the build. The browser hydrates it. */
export async function renderAuthPage(language: Language): Promise<{ title: string; html: string }> {
  setUser(null)
  await changeLanguage(language)
  await Promise.all([preloadScreen('/auth'), settled()])
  return {
    title: documentTitle(i18n.t('layout:titles./auth')),
    html: renderToString(at('/auth')),
  }
}

/**
 * The screens of a member before their data, by path. The browser shows them until its own first
 * render replaces them.
 */
export async function renderShells(language: Language): Promise<Record<string, string>> {
  setUser(SOMEBODY)
  await changeLanguage(language)
  await Promise.all([...SHELLS.map(preloadScreen), settled()])
  return Object.fromEntries(SHELLS.map((path) => [path, renderToStaticMarkup(at(path))]))
}
