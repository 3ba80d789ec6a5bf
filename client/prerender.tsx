import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { receiveSnapshot, setUser } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { documentTitle } from '#client/layout/page.tsx'
import { PLACEHOLDERS, SHELL_KEYS } from '#contract/initial-data'
import type { User } from '#rules/members/account-snapshots'
import type { Language } from '#rules/members/languages'
import type { Wallet } from '#rules/snapshots'
import { Root } from './app.tsx'
import { preloadScreen } from './lazy-screens.ts'
import { hrefOfView } from './screens/account/views.ts'

/** Screens whose shell shows nothing of the member but names, the e-mail address and the referral code. */
const SHELLS = ['/mine', '/wallet', '/tasks', '/team', '/network', '/swap', '/account']

const SOMEBODY: User = {
  ...PLACEHOLDERS,
  id: 0,
  phone: null,
  avatar: null,
  kycStatus: 'unverified',
  kycDocumentType: null,
  kycDocumentUrl: null,
  language: null,
}

const NO_ASSETS: Wallet = { tesp: [], usdtBalance: '0', asOf: 0 }

/** The query client notifies the atoms in a 0 ms timer. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

const at = (path: string, search = '') => (
  <Router ssrPath={path} ssrSearch={search}>
    <Root />
  </Router>
)

export async function renderAuthPage(language: Language): Promise<{ title: string; html: string }> {
  setUser(null)
  await changeLanguage(language)
  await Promise.all([preloadScreen('/auth'), settled()])
  return { title: documentTitle(i18n.t('layout:titles./auth')), html: renderToString(at('/auth')) }
}

async function renderEmptyWallet(): Promise<string> {
  // Another member, so that the other shells have no data in the next language either.
  setUser({ ...SOMEBODY, id: SOMEBODY.id + 1 })
  receiveSnapshot('/api/wallet', NO_ASSETS)
  await settled()
  return renderToStaticMarkup(at('/wallet'))
}

/** Its header is lower than that of an account with a code. */
async function renderAccountWithoutCode(): Promise<string> {
  setUser({ ...SOMEBODY, referralCode: null })
  await settled()
  return renderToStaticMarkup(at('/account'))
}

/** Member screens before their data, by path; shown until the browser's first render replaces them. */
export async function renderShells(language: Language): Promise<Record<string, string>> {
  setUser(SOMEBODY)
  await changeLanguage(language)
  await Promise.all([...SHELLS.map(preloadScreen), settled()])
  const shells = SHELLS.map((path) => [path, renderToStaticMarkup(at(path))])
  return {
    ...Object.fromEntries(shells),
    [SHELL_KEYS.walletView]: renderToStaticMarkup(at('/wallet', 'view=earnings')),
    [SHELL_KEYS.accountView]: renderToStaticMarkup(
      at('/account', hrefOfView('security').split('?')[1]),
    ),
    [SHELL_KEYS.accountWithoutCode]: await renderAccountWithoutCode(),
    [SHELL_KEYS.emptyWallet]: await renderEmptyWallet(),
  }
}
