import { useAtomValue } from 'jotai'
import { Fragment, memo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type DemoClock, demoClockAtom, realTime } from '#client/data/demo-clock.ts'
import { UNKNOWN } from '#client/format/amounts.ts'
import { dayText } from '#client/format/dates.ts'
import { rowFit } from '#client/ui/amounts.tsx'
import { useReadWhenSeen } from '#client/ui/scrolled-to.ts'
import { DAY_MS } from '#rules/constants'
import type { Activity, LedgerSums } from '#rules/snapshots'
import { startOfDay, sumsOf, unreadSumsAtom } from './activity-list.ts'
import { ActivityRow, changeText } from './activity-row.tsx'

/** Height of a row, rem; estimates the height of days that are not laid out. */
const ROW_REM = 4.0625

type OpenReceipt = (activity: Activity) => void
/** `day` is the start of the local day of the real time, ms. */
type Day = { day: number; items: Activity[] }

/** Days between the ends do not change while the list grows. */
export function daysOf(items: Activity[], clock: DemoClock | null = null): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = startOfDay(realTime(item.timestamp, clock))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}

type ActivityDaysProps = {
  items: Activity[]
  isComplete: boolean
  onOpen: OpenReceipt
}

/** A list of thousands of rows; `content-visibility` lays out and paints only the visible days. */
export function ActivityDays({ items, isComplete, onOpen }: ActivityDaysProps) {
  const clock = useAtomValue(demoClockAtom)
  const days = daysOf(items, clock)
  return days.map(({ day, items: rows }, index) => (
    <ActivityDay
      key={day}
      day={day}
      items={rows}
      isCut={!isComplete && index === days.length - 1}
      onOpen={onOpen}
    />
  ))
}

type ActivityDayProps = Day & {
  /** The list ends within this day, so that the sum needs what is not read yet. */
  isCut: boolean
  onOpen: OpenReceipt
}

const ActivityDay = memo(
  function ActivityDay({ day, items, isCut, onOpen }: ActivityDayProps) {
    const { t } = useTranslation('wallet')
    const titleId = `day-${day}`
    return (
      <>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 pt-4 pb-1">
          <h3 id={titleId} className="font-sans text-xs font-medium text-muted">
            {/* Of noon: a format made before the member changed the time zone keeps the old one. */}
            {dayText(day + DAY_MS / 2)}
          </h3>
          <p className="ml-auto text-right text-xs text-muted">
            <span className="sr-only">{t('activity.sum')}: </span>
            {/* The key makes each page wait until the head is seen again. */}
            {isCut ? <CutSums key={items.at(-1)?.id} items={items} /> : <Sums items={items} />}
          </p>
        </div>
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

/** Breaks after the dot only: long sums stand below each other. */
const DIVIDER = '\u00a0· '

/** Reads the rest of the day only if its head is on the screen: above a long day nobody sees it. */
function CutSums({ items }: { items: Activity[] }) {
  const place = useRef<HTMLSpanElement>(null)
  const unread = useReadWhenSeen(unreadSumsAtom, place)
  return <span ref={place}>{unread ? <Sums items={items} unread={unread} /> : UNKNOWN}</span>
}

const sumText = (one: Pick<Activity, 'amount' | 'tokenType'>) =>
  `${changeText(one)} ${one.tokenType}\u00a0·`

function Sums({ items, unread }: { items: Activity[]; unread?: LedgerSums }) {
  return sumsOf(items, unread).map((one, index) => (
    <Fragment key={one.tokenType}>
      {index > 0 && DIVIDER}
      <span className="whitespace-nowrap" style={{ fontSize: rowFit(sumText(one)) }}>
        <span className="figure tracking-normal">{changeText(one)}</span> {one.tokenType}
      </span>
    </Fragment>
  ))
}
