import { call } from '#client/data/api.ts'
import { currentUser, memberIdAtom, setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { changeLanguage, startTexts } from '#client/language/load-texts.ts'
import { showError, showFailure } from '#client/ui/toasts/toast.ts'
import { LANGUAGE_COOKIE } from '#contract/headers'
import { DAY_MS, SECOND_MS } from '#rules/constants'
import { DEFAULT_LANGUAGE, isLanguage, type Language, languageOf } from '#rules/members/languages'

function chosenLanguage(): Language | undefined {
  const chosen = storage.read('language')
  return isLanguage(chosen) ? chosen : undefined
}

/** The choice whose texts are loading: neither an earlier choice nor the device's language replaces it. */
let awaited: Language | undefined

/** Shows a language, if it is still wanted once its texts are loaded; resolves to whether they could be. */
export async function showLanguage(
  language: Language,
  isWanted = () => awaited === undefined,
): Promise<boolean> {
  if (language === currentLanguage()) return true
  try {
    await changeLanguage(language, isWanted)
    return true
  } catch (error) {
    // Offline without the chunk: the screen stays readable in the language that it has.
    console.warn('texts not loaded; the language stays', error)
    return false
  }
}

export function deviceLanguage(ofMember?: Language | null): Language {
  return chosenLanguage() ?? ofMember ?? languageOf(navigator.languages)
}

export function pageLanguage(): Language {
  return languageOf([document.documentElement.lang])
}

/** The manifest from which a browser installs the app; English has the one that the page names. */
function manifestOf(language: Language): string {
  return language === DEFAULT_LANGUAGE
    ? '/manifest.webmanifest'
    : `/manifest.${language}.webmanifest`
}

function setDocumentLanguage(): void {
  const language = currentLanguage()
  // Set to the same value too, it makes the browser compute every style again.
  if (document.documentElement.lang !== language) document.documentElement.lang = language
  document.querySelector('link[rel=manifest]')?.setAttribute('href', manifestOf(language))
}

/** Follows the choice of other tabs, too. Rejects if the common texts cannot be loaded. */
export async function startLanguage(language: Language): Promise<void> {
  i18n.on('languageChanged', setDocumentLanguage)
  storage.onOtherTab('language', () => {
    const chosen = chosenLanguage()
    // It is later than a choice of this tab whose texts are still loading.
    awaited = undefined
    if (chosen) void showLanguage(chosen)
  })
  const chosen = chosenLanguage()
  if (chosen) writeLanguageCookie(chosen)
  await startTexts(language)
}

/** Browsers keep a cookie for 400 days at most; each start of the app renews it. */
const LIFETIME_S = (400 * DAY_MS) / SECOND_MS

/** Lets the server send pages in the language that was chosen on this device. */
function writeLanguageCookie(language: Language): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${LIFETIME_S}; SameSite=Lax${secure}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain HTTP.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; ${attributes}`
}

/** Stores the language of the signed-in member's mails. */
async function saveLanguage(language: Language): Promise<void> {
  const updated = await call('PATCH /api/user/profile', { body: { language } })
  if (currentUser()?.id === updated.id) setUser(updated)
}

/** The last save: the next one waits for it, because requests may overtake each other. */
let saving: Promise<unknown> = Promise.resolve()

export async function chooseLanguage(language: Language): Promise<void> {
  awaited = language
  const isWanted = () => awaited === language
  const isLoaded = await showLanguage(language, isWanted)
  if (!isWanted()) return
  awaited = undefined
  if (!isLoaded) return showError(i18n.t('language.notLoaded'))
  storage.write('language', language)
  writeLanguageCookie(language)
  const earlier = saving
  saving = (async () => {
    await earlier.catch(() => {})
    const user = currentUser()
    if (user && user.language !== language && chosenLanguage() === language) {
      await saveLanguage(language)
    }
  })()
  try {
    await saving
  } catch (error) {
    showFailure(i18n.t('language.notSaved'), error)
  }
}

/** A device without a choice shows the member's language; a member without one gets the device's. */
async function joinLanguages(): Promise<void> {
  const user = currentUser()
  const chosen = chosenLanguage()
  if (!user) return
  if (chosen === undefined && user.language) await showLanguage(user.language)
  // Not a member's action: if it fails, the next sign-in repeats it.
  if (chosen !== undefined && user.language === null) await saveLanguage(chosen).catch(() => {})
}

export function followMemberLanguage(): () => void {
  void joinLanguages()
  return store.sub(memberIdAtom, () => void joinLanguages())
}
