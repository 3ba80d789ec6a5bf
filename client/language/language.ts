import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { ErrorAnswer } from '#contract/routes'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '#rules/members/languages'

/** `load-texts.ts` adds the texts. Components use `useTranslation`, other code `i18n.t('mine:key')`. */
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

export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE
}

/** A text of `API_TEXTS` in the language on the screen; any other is returned as it is. */
export function apiText<T extends string | undefined>(text: T): T | string {
  const texts: Record<string, string> | undefined = i18n.getResourceBundle(
    i18n.language,
    'apiTexts',
  )
  return (text && texts && Object.hasOwn(texts, text) && texts[text]) || text
}

/** English if the language on the screen has no text for the error. */
export function errorText({ message, code, params }: ErrorAnswer): string {
  const text = apiText(message)
  if (text !== message || !code) return text
  const template: string | undefined = i18n.getResource(i18n.language, 'errors', code)
  // An earlier release sends no values.
  if (!template || (template.includes('{{') && !params)) return message
  return i18n.t(`errors:${code as 'unavailable'}`, { ...params })
}
