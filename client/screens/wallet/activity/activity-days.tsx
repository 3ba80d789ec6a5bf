import { useAtomValue } from 'jotai'
import { memo } from 'react'
import { utcDayText } from '#client/format/dates.ts'
import type { Activity } from '#rules/snapshots'
import { ActivityRow } from './activity-row.tsx'
import { type DemoClock, demoClockAtom, realTime } from './demo-clock.ts'

/** Height of a row, rem; estimates the height of days that are not laid out. */
const ROW_REM = 4.0625

type OpenReceipt = (activity: Activity) => void
type Day = { day: string; items: Activity[] }

/** Groups the rows by the UTC day of their real time. Days between the ends do not change while the list grows. */
export function daysOf(items: Activity[], clock: DemoClock | null = null): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = realTime(item.timestamp, clock).slice(0, 10)
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

/** A list of thousands of rows; `content-visibility` lays out and paints only the visible days. */
export function ActivityDays({ items, onOpen }: { items: Activity[]; onOpen: OpenReceipt }) {
  const clock = useAtomValue(demoClockAtom)
  return (
    <div className="[&>ul:first-child>li:first-child]:border-t-0">
      {daysOf(items, clock).map(({ day, items }) => (
        <ActivityDay key={items.at(-1)?.id} day={day} items={items} onOpen={onOpen} />
      ))}
    </div>
  )
}

const ActivityDay = memo(
  function ActivityDay({ day, items, onOpen }: Day & { onOpen: OpenReceipt }) {
    return (
      <ul
        aria-label={utcDayText(day)}
        className="[content-visibility:auto]"
        style={{ containIntrinsicSize: `auto ${items.length * ROW_REM}rem` }}
      >
        {items.map((activity) => (
          <ActivityRow key={activity.id} activity={activity} onOpen={onOpen} />
        ))}
      </ul>
    )
  },
  // Rows of the ledger never change, so equal length and ends mean an equal day.
  (before, after) =>
    before.day === after.day &&
    before.items.length === after.items.length &&
    before.items[0]?.id === after.items[0]?.id &&
    before.items.at(-1)?.id === after.items.at(-1)?.id,
)
