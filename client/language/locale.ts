import { currentLanguage } from './language.ts'

/** Browsers on some systems report tags that `Intl` rejects, such as `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/** The tag for dates: the browser's regional form of the current language, such as `en-GB`. */
function dateLocale(): string {
  const language = currentLanguage()
  const regional = navigator.languages.find((tag) => tag.split('-')[0] === language && isTag(tag))
  return regional ?? language
}

/** A date format in the current language, created once for each. */
export function dateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>()
  return () => {
    const tag = dateLocale()
    const format = made.get(tag) ?? new Intl.DateTimeFormat(tag, options)
    made.set(tag, format)
    return format
  }
}
