import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#rules/members/languages'

/**
 * The texts of the product; `load-texts.ts` adds them. The first render waits for those of its screen.
 * Components use `useTranslation`, other code `i18n.t('mine:key')`.
 */
export const i18n = createInstance()

void i18n.use(initReactI18next).init({
  lng: DEFAULT_LANGUAGE,
  // Every catalogue is complete (a type error otherwise), so nothing falls back.
  fallbackLng: false,
  ns: ['common', 'layout'],
  defaultNS: 'common',
  resources: {},
  // React escapes.
  interpolation: { escapeValue: false },
  // Texts are loaded with the code that shows them.
  react: { useSuspense: false },
})

/** The language on the screen. */
export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE
}
