import { currentLanguage } from './language.ts'

/** The tag for dates: the browser's regional form of the current language, such as `en-GB`. */
function dateLocale(): string {
  const language = currentLanguage()
  // Chromium names a POSIX locale `en-US@posix`, which Intl rejects.
  const tags = navigator.languages.map((tag) => tag.replace(/@.*/, ''))
  return tags.find((tag) => tag.split('-')[0] === language) ?? language
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
