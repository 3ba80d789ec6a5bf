import { useAtomValue } from 'jotai'
import { memo } from 'react'
import type { Activity } from '#rules/snapshots'
import { ActivityRow } from './activity-row.tsx'
import { DayHead } from './day-head.tsx'
import { localDay } from './day-sums.ts'
import { type DemoClock, demoClockAtom, realTime } from './demo-clock.ts'

/** Height of a row, rem; estimates the height of days that are not laid out. */
const ROW_REM = 4.0625

type OpenReceipt = (activity: Activity) => void
type Day = { day: string; items: Activity[] }

/**
 * Groups the rows by the day of their real time in the time zone of the browser, in which each row
 * shows its time. Days between the ends do not change while the list grows.
 */
export function daysOf(items: Activity[], clock: DemoClock | null = null): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = localDay(realTime(item.timestamp, clock))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

type ActivityDaysProps = {
  items: Activity[]
  /** The last row is the oldest one of the member. */
  isComplete: boolean
  onOpen: OpenReceipt
}

/** A list of thousands of rows; `content-visibility` lays out and paints only the visible days. */
export function ActivityDays({ items, isComplete, onOpen }: ActivityDaysProps) {
  const clock = useAtomValue(demoClockAtom)
  const days = daysOf(items, clock)
  return days.map(({ day, items: rows }, index) => (
    <ActivityDay
      key={rows.at(-1)?.id}
      day={day}
      at={realTime(rows[0]?.timestamp ?? day, clock)}
      items={rows}
      isCut={!isComplete && index === days.length - 1}
      onOpen={onOpen}
    />
  ))
}

type ActivityDayProps = Day & { at: string; isCut: boolean; onOpen: OpenReceipt }

const ActivityDay = memo(
  function ActivityDay({ day, at, items, isCut, onOpen }: ActivityDayProps) {
    const titleId = `day-${day}`
    return (
      <>
        <DayHead at={at} items={items} isCut={isCut} titleId={titleId} />
        <ul
          aria-labelledby={titleId}
          className="[content-visibility:auto]"
          style={{ containIntrinsicSize: `auto ${items.length * ROW_REM}rem` }}
        >
          {items.map((activity) => (
            <ActivityRow key={activity.id} activity={activity} onOpen={onOpen} />
          ))}
        </ul>
      </>
    )
  },
  // Rows of the ledger never change, so equal length and ends mean an equal day.
  (before, after) =>
    before.day === after.day &&
    before.isCut === after.isCut &&
    before.items.length === after.items.length &&
    before.items[0]?.id === after.items[0]?.id &&
    before.items.at(-1)?.id === after.items.at(-1)?.id,
)
