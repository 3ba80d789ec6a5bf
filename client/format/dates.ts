/** Dates and times in the language and time zone of the browser; `at` is ISO 8601 or real ms. */

type At = string | number

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' })
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })

/** `Mar 1, 2026`. */
export const dateText = (at: At) => date.format(new Date(at))

/** `12:00 PM`. */
export const timeText = (at: At) => time.format(new Date(at))

/** `Mar 1, 2026, 12:00 PM`. */
export const dateTimeText = (at: At) => dateTime.format(new Date(at))

/** `12 PM`. */
export const hourText = (at: At) => hour.format(new Date(at))

/** `12:00`, with 24 hours in every language. */
export const clockText = (at: At) => clock.format(new Date(at))

/** `Sunday, March 1, 2026`: the day in UTC. */
export const utcDayText = (at: At) => utcDay.format(new Date(at))
