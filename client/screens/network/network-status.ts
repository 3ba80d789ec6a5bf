import { routeQuery } from '#client/data/member-data.ts'
import { grouped, wholeText } from '#client/format/amounts.ts'
import { hourText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { MINUTE_MS } from '#rules/constants'
import { display } from '#rules/money/money'
import type { NetworkStatus } from '#rules/snapshots'

/** The screen reads `Last updated: 2 min ago`, so its figures must not be older. */
const FRESH_MS = 2 * MINUTE_MS

export const networkAtom = routeQuery('/api/network', {
  staleTime: FRESH_MS,
  refetchInterval: FRESH_MS,
})

/** A rate in TESP/h, truncated: three decimals as on the dial, none from 1,000 on. */
export function networkRateText(rate: number): string {
  return grouped(display(rate.toFixed(8), rate < 1_000 ? 3 : 0))
}

/** `label` is the start of the hour in local time. */
export type HourOfCredits = { label: string; credits: number }

export function hoursOf({ activity }: NetworkStatus): HourOfCredits[] {
  return activity.map(({ hour, credits }) => ({ label: hourText(hour), credits }))
}

export function totalCredits(hours: HourOfCredits[]): number {
  return hours.reduce((total, { credits }) => total + credits, 0)
}

export function activitySummary(hours: HourOfCredits[]): string {
  const total = totalCredits(hours)
  if (total === 0) return i18n.t('network:activity.none')
  const best = hours.reduce((most, hour) => (hour.credits > most.credits ? hour : most))
  return i18n.t('network:activity.summary', {
    count: total,
    total: wholeText(total),
    hour: best.label,
    most: wholeText(best.credits),
  })
}
