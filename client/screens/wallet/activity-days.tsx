import { memo } from 'react'
import { utcDayText } from '#client/format/dates.ts'
import type { Activity } from '#rules/snapshots'
import { ActivityRow } from './activity-row.tsx'

/** Height of a row, rem: what a day out of sight is taken to be high. */
const ROW_REM = 4.0625

type Day = { day: string; items: Activity[] }

/** The rows by UTC day: pieces that stay the same while the list grows at both of its ends. */
export function daysOf(items: Activity[]): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = item.timestamp.slice(0, 10)
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

/** A list of thousands of rows of which only the days in sight are laid out and painted. */
export function ActivityDays({ items }: { items: Activity[] }) {
  return (
    <div className="[&>ul:first-child>li:first-child]:border-t-0">
      {daysOf(items).map(({ day, items }) => (
        <ActivityDay key={items.at(-1)?.id} day={day} items={items} />
      ))}
    </div>
  )
}

const ActivityDay = memo(
  function ActivityDay({ day, items }: Day) {
    return (
      <ul
        aria-label={utcDayText(day)}
        className="[content-visibility:auto]"
        style={{ containIntrinsicSize: `auto ${items.length * ROW_REM}rem` }}
      >
        {items.map((activity) => (
          <ActivityRow key={activity.id} activity={activity} />
        ))}
      </ul>
    )
  },
  // Rows of the ledger never change, so the ends of a day say whether it is the same.
  (before, after) =>
    before.items.length === after.items.length &&
    before.items[0]?.id === after.items[0]?.id &&
    before.items.at(-1)?.id === after.items.at(-1)?.id,
)
