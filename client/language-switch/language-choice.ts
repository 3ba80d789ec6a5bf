import { storage } from '#client/data/storage.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { DEFAULT_LANGUAGE, isLanguage, type Language, languageOf } from '#rules/languages'

/** The language that was chosen on this device. */
export function chosenLanguage(): Language | undefined {
  const chosen = storage.read('language')
  return isLanguage(chosen) ? chosen : undefined
}

/** Shows a language; resolves to whether its texts could be loaded. */
export async function showLanguage(language: Language): Promise<boolean> {
  if (language === currentLanguage()) return true
  try {
    await changeLanguage(language)
    return true
  } catch (error) {
    // Offline without the chunk: the screen stays readable in the language that it has.
    console.warn('texts not loaded; the language stays', error)
    return false
  }
}

/** The manifest from which a browser installs the app; English has the one that the page names. */
function manifestOf(language: Language): string {
  return language === DEFAULT_LANGUAGE
    ? '/manifest.webmanifest'
    : `/manifest.${language}.webmanifest`
}

function setDocumentLanguage(): void {
  const language = currentLanguage()
  document.documentElement.lang = language
  document.querySelector('link[rel=manifest]')?.setAttribute('href', manifestOf(language))
}

/**
 * Sets the language of the first render, which is the choice on this device or the browser's
 * preference, and follows the choice of other tabs.
 */
export async function startLanguage(): Promise<void> {
  i18n.on('languageChanged', setDocumentLanguage)
  setDocumentLanguage()
  storage.onOtherTab('language', () => {
    const chosen = chosenLanguage()
    if (chosen) void showLanguage(chosen)
  })
  await showLanguage(chosenLanguage() ?? languageOf(navigator.languages))
}
