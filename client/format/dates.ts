import { currentLanguage } from '#client/language/language.ts'
import type { Language } from '#rules/members/languages'

/** Dates and times in the language on the screen and the time zone of the browser. */

/** ISO 8601 or real ms. */
type At = string | number

type Options = Intl.DateTimeFormatOptions
type OwnOptions = Partial<Record<Language, Options>>

/** In Vietnamese `01/03/2026`, where `Intl` has `1 thg 3, 2026`. */
const DATE: Options = { day: '2-digit', month: '2-digit', year: 'numeric' }
const MINUTE: Options = { hour: '2-digit', minute: '2-digit' }

/** `Mar 1, 2026`. */
export const dateText = dateFormat({ dateStyle: 'medium' }, { vi: DATE })

/** `Sun, Mar 1, 2026`. */
export const dayText = dateFormat(
  { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  { vi: { weekday: 'short', ...DATE } },
)

/** `12:00 PM`. */
export const timeText = dateFormat({ timeStyle: 'short' })

const dateTime = formatOf(
  { dateStyle: 'medium', timeStyle: 'short' },
  { vi: { ...DATE, ...MINUTE } },
)

/** `Mar 1, 2026, 12:00 PM`. */
export const dateTimeText = (at: At) => dateTime().format(new Date(at))

/** `Mar 1, 2026, 11:40 AM – 12:00 PM`; the date of the end too if it is another one. */
export const dateTimeRangeText = (from: At, to: At) =>
  dateTime().formatRange(new Date(from), new Date(to))

const hour = dateFormat({ hour: 'numeric' })

/** `12 PM`; `12:30 PM` where an hour of the server begins within one of the time zone. */
export const hourText = (at: At) => (new Date(at).getMinutes() === 0 ? hour(at) : timeText(at))

/** `12:00`, with 24 hours in every language. */
export const clockText = dateFormat({ ...MINUTE, hourCycle: 'h23' })

/** `Sunday, March 1, 2026`: the day in UTC. */
export const utcDayText = dateFormat(
  { dateStyle: 'full', timeZone: 'UTC' },
  { vi: { weekday: 'long', ...DATE, timeZone: 'UTC' } },
)

/** `Sun`: the weekday in UTC. */
export const utcWeekdayText = dateFormat({ weekday: 'short', timeZone: 'UTC' })

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

/** A date format in the current language, created once for each; `own` replaces `options` in a language. */
function formatOf(options: Options, own: OwnOptions = {}): () => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>()
  return () => {
    const tag = dateLocale()
    const format = made.get(tag) ?? new Intl.DateTimeFormat(tag, own[currentLanguage()] ?? options)
    made.set(tag, format)
    return format
  }
}

export function dateFormat(options: Options, own?: OwnOptions): (at: At) => string {
  const format = formatOf(options, own)
  return (at) => format().format(new Date(at))
}
