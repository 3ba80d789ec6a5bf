import { object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { DAY_MS, STATEMENT_DAYS } from '#rules/constants'

/** Whether a text is a day of the calendar such as `2026-03-01`; not `2026-02-30`. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${text}T`)
}

/** No row of the ledger is older; years before it need other notations in SQL. */
const FIRST_DAY = '2000-01-01'

/** A UTC day as text. */
export const calendarDay = string()
  .max(10, API_TEXTS.dayInvalid)
  .test(
    'day',
    API_TEXTS.dayInvalid,
    (value) => value === undefined || (isDay(value) && value >= FIRST_DAY),
  )

/** What is wrong with the period between two days; undefined if a statement may cover it. */
export function periodFault(from: string, to: string): string | undefined {
  if (from > to) return API_TEXTS.daysReversed
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  return days >= STATEMENT_DAYS ? API_TEXTS.daysTooMany : undefined
}

/** The period of a statement: UTC days, both included. Without them it is the last 30 days. */
export const statementForm = object({
  from: calendarDay,
  to: calendarDay.test('period', (to, { parent, createError }) => {
    // A field that is validated alone has no parent.
    const message = parent?.from && to ? periodFault(parent.from, to) : undefined
    return message === undefined || createError({ message })
  }),
})
