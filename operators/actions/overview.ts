import { type DayFigures, readFigures } from '#db/daily-figures'
import { runningSessions } from '#db/ledger/network-counters'
import { mailFigures } from '#db/mails'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { HOUR_MS, SECOND_MS } from '#rules/constants'

/** Of the current and the last hour of product time. */
async function creditsPerSecond(db: Db): Promise<number> {
  const now = await productNow(db)
  const since = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS
  const counted = await db('network_hours')
    .where('hour', '>=', new Date(since))
    .where('hour', '<=', new Date(now))
    .sum('credits as credits')
    .first()
  return (counted?.credits ?? 0) / ((now - since) / SECOND_MS)
}

/** Days whose sign-ups together make a share: one small day says little. */
const SHARE_DAYS = 7

/** Of the newest days that can be known; 0 to 1, null if none can. */
function shareBack(
  days: DayFigures[],
  column: 'backAfterOneDay' | 'backAfterSevenDays',
): number | null {
  const known = days.filter((day) => day[column] !== null).slice(-SHARE_DAYS)
  const signUps = known.reduce((sum, day) => sum + day.signUps, 0)
  const back = known.reduce((sum, day) => sum + (day[column] ?? 0), 0)
  return signUps === 0 ? null : back / signUps
}

/** Members who joined a team for each member. */
export const invitationsOn = ({ members, joined }: DayFigures): number | null =>
  members ? (joined ?? 0) / members : null

/** `days` are the last 30, oldest first. Reads counters and a row a day: the number of members does not matter. */
export async function readOverview(db: Db) {
  const [days, { sessions }, mails, lag, credits] = await Promise.all([
    readFigures(db),
    runningSessions(db),
    mailFigures(db),
    creditLagSeconds(db),
    creditsPerSecond(db),
  ])
  const today = days.at(-1)
  const isToday = today?.day === new Date().toISOString().slice(0, 10)
  const now = {
    creditLagSeconds: lag,
    activeSessions: sessions,
    creditsPerSecond: credits,
    signUpsToday: isToday ? today.signUps : 0,
    backAfterOneDay: shareBack(days, 'backAfterOneDay'),
    backAfterSevenDays: shareBack(days, 'backAfterSevenDays'),
    invitationsPerMember: days.map(invitationsOn).findLast((value) => value !== null) ?? null,
    mailsWaiting: mails.waiting,
    // Both of the last day.
    mailsToRetry: mails.toRetry,
    mailsRejected: mails.rejected,
    countedAt: today?.at ?? null,
  }
  return { now, days }
}

/** Null is not known (yet). */
export type Overview = Awaited<ReturnType<typeof readOverview>>['now']
