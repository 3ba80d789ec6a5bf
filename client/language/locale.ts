import { currentLanguage } from './language.ts'

/** The tag for dates: the browser's regional form of the current language, such as `en-GB`. */
function dateLocale(): string {
  const language = currentLanguage()
  // Chromium names a POSIX locale `en-US@posix`, which Intl rejects.
  const tags = navigator.languages.map((tag) => tag.replace(/@.*/, ''))
  return tags.find((tag) => tag.split('-')[0] === language) ?? language
}

function once<F>(tagOf: () => string, create: (tag: string) => F): () => F {
  const made = new Map<string, F>()
  return () => {
    const tag = tagOf()
    const format = made.get(tag) ?? create(tag)
    made.set(tag, format)
    return format
  }
}

/** A date format in the current language, created once for each. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  once(dateLocale, (tag) => new Intl.DateTimeFormat(tag, options))

/** A number format in the current language, the same in all its regions. */
export const numberFormat = (options?: Intl.NumberFormatOptions) =>
  once(currentLanguage, (tag) => new Intl.NumberFormat(tag, options))
