import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { demoClockAtom, productTime, realTime } from '#client/data/demo-clock.ts'
import { activityAtom, memberIdAtom, readActivity } from '#client/data/member-data.ts'
import { pagedList } from '#client/data/older-pages.ts'
import { queryAtom } from '#client/data/query-cache.ts'
import { MINUTE_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import type { Activity, LedgerSums } from '#rules/snapshots'

export const activityList = pagedList(
  '/api/wallet/activity',
  (get) => get(activityAtom).data,
  readActivity,
)

/** In the time zone of the browser. */
export function startOfDay(at: string): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** The position at which the list ends within a day, and the product time at which that day began. */
const cutAtom = atom((get) => {
  const rows = get(activityList.rowsAtom)
  const last = rows?.items.at(-1)
  if (!rows?.next || !last) return null
  const clock = get(demoClockAtom)
  const since = productTime(startOfDay(realTime(last.timestamp, clock)), clock)
  return { before: rows.next, since: new Date(Math.max(0, since)).toISOString() }
})

/** Sums of the last day's unread rows, by the server, because a day of mining has more rows than a page. */
export const unreadSumsAtom = queryAtom<LedgerSums>((get) => {
  const cut = get(cutAtom)
  const memberId = get(memberIdAtom)
  return {
    queryKey: ['/api/wallet/activity/sums', memberId, cut?.before, cut?.since],
    queryFn: () => call('GET /api/wallet/activity/sums', { query: cut ?? {} }),
    enabled: cut !== null && memberId !== undefined,
    gcTime: MINUTE_MS,
  }
})

type TokenSum = Pick<Activity, 'amount' | 'tokenType'>

const TOKENS = ['TESP', 'USDT'] as const

export function sumsOf(items: Activity[], unread?: LedgerSums): TokenSum[] {
  return TOKENS.flatMap((tokenType) => {
    const amounts = items.filter((one) => one.tokenType === tokenType).map(({ amount }) => amount)
    const more = unread?.[tokenType === 'TESP' ? 'tesp' : 'usdt'] ?? '0'
    const amount = sum(...amounts, more)
    return amounts.length > 0 || amount !== sum() ? [{ amount, tokenType }] : []
  })
}
