import { LANGUAGE_COOKIE } from '#contract/headers'
import { DAY_MS, SECOND_MS } from '#rules/constants'
import type { Language } from '#rules/members/languages'

/** Browsers keep a cookie for 400 days at most; each start of the app renews it. */
const LIFETIME_S = (400 * DAY_MS) / SECOND_MS

/** Lets the server send pages in the language that was chosen on this device. */
export function writeLanguageCookie(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${LIFETIME_S}; SameSite=Lax${secure}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain HTTP.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; ${attributes}`
}
