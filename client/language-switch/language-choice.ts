import { storage } from '#client/data/storage.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { isLanguage, type Language, languageOf } from '#rules/languages'

/** The language that was chosen on this device. */
export function chosenLanguage(): Language | undefined {
  const chosen = storage.read('language')
  return isLanguage(chosen) ? chosen : undefined
}

async function showLanguage(language: Language): Promise<void> {
  if (language === currentLanguage()) return
  // Offline without the chunk: the screen stays readable in the language that it has.
  await changeLanguage(language).catch((error) => console.warn('Texts could not be loaded', error))
}

/**
 * Sets the language of the first render, which is the choice on this device or the browser's
 * preference, and follows the choice of other tabs.
 */
export async function startLanguage(): Promise<void> {
  const setLang = () => {
    document.documentElement.lang = currentLanguage()
  }
  i18n.on('languageChanged', setLang)
  setLang()
  storage.onOtherTab('language', () => {
    const chosen = chosenLanguage()
    if (chosen) void showLanguage(chosen)
  })
  await showLanguage(chosenLanguage() ?? languageOf(navigator.languages))
}

/** Shows a language and keeps it as the choice on this device. */
export async function chooseLanguage(language: Language): Promise<void> {
  storage.write('language', language)
  await showLanguage(language)
}
