/** Languages of the screens and the mails, as BCP 47 tags; the first is the default. */
export const LANGUAGES = ['en', 'vi'] as const

export type Language = (typeof LANGUAGES)[number]

/** Each language in its own words, so that members find theirs on a page they cannot read. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' }

export const DEFAULT_LANGUAGE = 'en' satisfies Language

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value)
}

/** The first supported language of BCP 47 tags such as `vi-VN`, most preferred first; else English. */
export function languageOf(tags: readonly string[]): Language {
  const languages = tags.map((tag) => tag.toLowerCase().split('-')[0])
  return languages.find(isLanguage) ?? DEFAULT_LANGUAGE
}
