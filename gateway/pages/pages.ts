import { basename } from 'node:path'
import type Koa from 'koa'
import { LANGUAGE_COOKIE, MEMBER_COOKIE } from '#contract/headers'
import {
  INITIAL_DATA_ID,
  type InitialData,
  PLACEHOLDERS,
  SEAL_KEYS_NAME,
  SHELL_KEYS,
} from '#contract/initial-data'
import { isIpAddress } from '#contract/passkeys'
import { escapeHtml } from '#db/mail-texts/mail-html'
import { languageFor } from '#gateway/services/request-language'
import type { Services } from '#gateway/services/services'
import type { User } from '#rules/members/account-snapshots'
import { isLanguage, type Language } from '#rules/members/languages'
import { isPositive } from '#rules/money/money'
import type { SealKey } from '#rules/seal/seal'
import { orNothing } from '#runtime/or-nothing'
import { type BuildFiles, type BuildReader, sendFile, sendHtml } from './build-files.ts'
import { initialDataReader, READ_LIMIT_MS } from './initial-data.ts'
import { codeOfLink, invitationPreview } from './invitation-tags.ts'
import { fontLink, preloadsOf } from './preloads.ts'

/** The device's choice, the member's, or the browser's preference, in the order of the client. */
function pageLanguage(ctx: Koa.Context, member?: { language: Language | null }): Language {
  const chosen = ctx.cookies.get(LANGUAGE_COOKIE, { signed: false })
  return isLanguage(chosen) ? chosen : languageFor(ctx, member)
}

/** Paths of our endpoints, none of which is a page of the app. */
export const APP_PATHS = /^\/(api|socket\.io|dev|healthz|readyz|metrics)(\/|$)/

function pagePath({ path }: Koa.Context): string {
  // A regular expression would try each slash of a path of slashes as the first of the last ones.
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

export function isPageRequest(ctx: Koa.Context): boolean {
  return (
    (ctx.method === 'GET' || ctx.method === 'HEAD') &&
    !basename(ctx.path).includes('.') &&
    !APP_PATHS.test(ctx.path) &&
    ctx.accepts('html') === 'html'
  )
}

/** False for a script, such as a service worker that caches the page for every member: it gets the built file. */
function isNavigation(ctx: Koa.Context): boolean {
  return ['', 'document'].includes(ctx.get('Sec-Fetch-Dest'))
}

/** Whether the browser of the visitor hydrates the prerendered sign-in page as it is. */
function isPlainSignIn(ctx: Koa.Context): boolean {
  const isVisitor = ctx.cookies.get(MEMBER_COOKIE, { signed: false }) === undefined
  // A referral link opens the other tab.
  return pagePath(ctx) === '/auth' && ctx.query.ref === undefined && isVisitor
}

type Page = {
  path: string
  isView: boolean
  language: Language
  first: InitialData | undefined
  /** Public keys of the seals, for a proof that is verified later without a connection. */
  sealKeys: SealKey[]
  preview?: { title: string; tags: string }
}

const EMPTY_ROOT = '<div id="root"></div>'

/** Nothing in the JSON can end the script element or begin a comment. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** A member with a picture gets no letter in its place. */
function namedShell(shell: string, user: User): string {
  const { username, fullName, email, avatar, referralCode } = user
  const letter = avatar ? '' : escapeHtml([...username][0]?.toUpperCase() ?? '')
  return shell
    .replaceAll(`>${PLACEHOLDERS.username}<`, () => `>${letter}<`)
    .replaceAll(PLACEHOLDERS.username, () => escapeHtml(username))
    .replaceAll(PLACEHOLDERS.fullName, () => escapeHtml(fullName || username))
    .replaceAll(PLACEHOLDERS.email, () => escapeHtml(email))
    .replaceAll(PLACEHOLDERS.referralCode, () => escapeHtml(referralCode ?? ''))
}

/** A wallet without assets has a shell that is complete without data. */
function shellKey({ path, isView }: Page, { user, answers }: InitialData): string {
  if (path === '/account' && isView) return SHELL_KEYS.accountView
  if (path === '/wallet' && isView) return SHELL_KEYS.walletView
  if (path === '/account' && user.referralCode === null) return SHELL_KEYS.accountWithoutCode
  const wallet = answers['/api/wallet']
  if (path !== '/wallet' || !wallet) return path
  const amounts = [wallet.usdtBalance, ...wallet.tesp.map(({ balance }) => balance)]
  return amounts.some(isPositive) ? path : SHELL_KEYS.emptyWallet
}

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

function pageHtml(build: BuildFiles, page: Page): string {
  const { language, first } = page
  if (!first) return linkedPage(build, page, '')
  const shell = namedShell(build.shells[language]?.[shellKey(page, first)] ?? '', first.user)
  const data = `<script type="application/json" id="${INITIAL_DATA_ID}">${scriptJson(first)}</script>`
  // Functions, because a text could contain a pattern of `replace` such as `$&`.
  return linkedPage(build, page, shell)
    .replace(EMPTY_ROOT, () => `<div id="root">${shell}</div>`)
    .replace('</body>', () => `${data}</body>`)
}

/** False if the build has no prerendered page. */
function sendPrerendered(ctx: Koa.Context, root: string): Promise<boolean> {
  const variant = isIpAddress(ctx.hostname) ? '.no-passkeys' : ''
  return sendFile(ctx, root, `/auth.${pageLanguage(ctx)}${variant}.html`)
}

/** A member's page holds what its first screen shows, which saves the browser the reads that would follow. */
export function pages(services: Services, root: string, readBuild: BuildReader): Koa.Middleware {
  const readInitialData = initialDataReader(services)
  return async (ctx, next) => {
    const build = isPageRequest(ctx) && isNavigation(ctx) ? await readBuild() : undefined
    if (!build) return next()
    ctx.vary(['Accept-Encoding', 'Accept-Language', 'Cookie'])
    if (isPlainSignIn(ctx) && (await sendPrerendered(ctx, root))) return
    const path = pagePath(ctx)
    const first = await readInitialData(ctx.req, path)
    const language = pageLanguage(ctx, first?.user)
    const code = path === '/auth' ? codeOfLink(ctx) : undefined
    const preview =
      code === undefined ? undefined : await invitationPreview(services, ctx, { code, language })
    // A page that names somebody is stored nowhere.
    ctx.set('Cache-Control', first || preview ? 'private, no-store' : 'no-cache')
    // A visitor verifies proofs on this page only; the others need no database.
    const needsKeys = first !== undefined || path === '/verify'
    const sealKeys = (needsKeys && (await orNothing(services.sealKeys(), READ_LIMIT_MS))) || []
    const isView = ctx.query.view !== undefined
    const page = { path, isView, language, first, sealKeys, preview }
    await sendHtml(ctx, pageHtml(build, page))
  }
}
