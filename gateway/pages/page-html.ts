import {
  ACCOUNT_VIEW,
  ACCOUNT_WITHOUT_CODE,
  EMAIL_PLACEHOLDER,
  EMPTY_WALLET,
  FULL_NAME_PLACEHOLDER,
  INITIAL_DATA_ID,
  type InitialData,
  REFERRAL_CODE_PLACEHOLDER,
  SEAL_KEYS_NAME,
  USERNAME_PLACEHOLDER,
  WALLET_VIEW,
} from '#contract/initial-data'
import { escapeHtml } from '#db/mail-texts/mail-html'
import type { User } from '#rules/members/account-snapshots'
import type { Language } from '#rules/members/languages'
import { isPositive } from '#rules/money/money'
import type { SealKey } from '#rules/seal/seal'
import type { BuildFiles } from './build-files.ts'
import { fontLink, preloadsOf } from './preloads.ts'

/** A page and, if it is one of a member, what its first screen shows. */
export type Page = {
  path: string
  /** Whether it is a view of the screen at this path, which the parameter `view` names. */
  isView: boolean
  language: Language
  first: InitialData | undefined
  /** Public keys of the seals, for a proof that is verified later without a connection. */
  sealKeys: SealKey[]
  /** Title and elements of the head for those who show a preview of the link. */
  preview?: { title: string; tags: string }
}

const EMPTY_ROOT = '<div id="root"></div>'

/** JSON that is safe within a script element: nothing in it can end the element or begin a comment. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The shell with the member's name; a member with a picture gets no letter in its place. */
function namedShell(shell: string, user: User): string {
  const { username, fullName, email, avatar, referralCode } = user
  const letter = avatar ? '' : escapeHtml([...username][0]?.toUpperCase() ?? '')
  return shell
    .replaceAll(`>${USERNAME_PLACEHOLDER}<`, () => `>${letter}<`)
    .replaceAll(USERNAME_PLACEHOLDER, () => escapeHtml(username))
    .replaceAll(FULL_NAME_PLACEHOLDER, () => escapeHtml(fullName || username))
    .replaceAll(EMAIL_PLACEHOLDER, () => escapeHtml(email))
    .replaceAll(REFERRAL_CODE_PLACEHOLDER, () => escapeHtml(referralCode ?? ''))
}

/**
 * The key of the shell of a screen: a wallet without assets is shown complete, without its data, and an
 * account with its referral code, if it has one, or as one of its views.
 */
function shellKey({ path, isView }: Page, { user, answers }: InitialData): string {
  if (path === '/account' && isView) return ACCOUNT_VIEW
  if (path === '/wallet' && isView) return WALLET_VIEW
  if (path === '/account' && user.referralCode === null) return ACCOUNT_WITHOUT_CODE
  const wallet = answers['/api/wallet']
  if (path !== '/wallet' || !wallet) return path
  const amounts = [wallet.usdtBalance, ...wallet.tesp.map(({ balance }) => balance)]
  return amounts.some(isPositive) ? path : EMPTY_WALLET
}

/** The page of the build in a language, with links to the files of its first screen. */
function linkedPage(
  { html, manifest }: BuildFiles,
  { path, language, first, sealKeys, preview }: Page,
  shell: string,
): string {
  const { scripts, styles, fonts } = preloadsOf(manifest, {
    path,
    language,
    isMember: first !== undefined,
  })
  // The entry loads the code of a page with a shell, after its paint.
  const relation = shell ? 'data-after-paint' : 'rel="modulepreload"'
  const keys = escapeHtml(JSON.stringify(sealKeys))
  const links = [
    preview?.tags ?? '',
    ...(sealKeys.length > 0 ? [`<meta name="${SEAL_KEYS_NAME}" content="${keys}">`] : []),
    ...fonts.map(fontLink),
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
    ...scripts.map((file) => `<link ${relation} crossorigin href="${file}">`),
  ]
  return html
    .replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
    .replace(/<title>(.*?)<\/title>/, (title) =>
      preview ? `<title>${escapeHtml(preview.title)}</title>` : title,
    )
    .replace('</head>', () => `${links.join('')}</head>`)
}

/**
 * The page in its language, which names the files of its first screen. A member's page holds their data
 * and shows the shell of the screen.
 */
export function pageHtml(build: BuildFiles, page: Page): string {
  const { language, first } = page
  if (!first) return linkedPage(build, page, '')
  const shell = namedShell(build.shells[language]?.[shellKey(page, first)] ?? '', first.user)
  const data = `<script type="application/json" id="${INITIAL_DATA_ID}">${scriptJson(first)}</script>`
  // Functions, because a text could contain a pattern of `replace` such as `$&`.
  return linkedPage(build, page, shell)
    .replace(EMPTY_ROOT, () => `<div id="root">${shell}</div>`)
    .replace('</body>', () => `${data}</body>`)
}
