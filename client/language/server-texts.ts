import type { ErrorAnswer } from '#contract/routes'
import { i18n } from './language.ts'

/**
 * A text of `API_TEXTS`, such as the error of a field, in the language on the screen. Any other text
 * is returned as it is; so is this one while the texts of the language are not loaded.
 */
export function apiText(text: string): string
export function apiText(text: string | undefined): string | undefined
export function apiText(text: string | undefined): string | undefined {
  const texts: Record<string, string> | undefined = i18n.getResourceBundle(
    i18n.language,
    'apiTexts',
  )
  return text && texts && Object.hasOwn(texts, text) ? texts[text] : text
}

/** The message of an error in the language on the screen; English if the language has no text for it. */
export function errorText({ message, code, params }: ErrorAnswer): string {
  const text = apiText(message)
  if (text !== message || !code) return text
  const template: string | undefined = i18n.getResource(i18n.language, 'errors', code)
  // An earlier release sends no values.
  if (!template || (template.includes('{{') && !params)) return message
  return i18n.t(`errors:${code as 'unavailable'}`, { ...params })
}
