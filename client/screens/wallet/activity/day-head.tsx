import { useAtomValue } from 'jotai'
import { Fragment, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { UNKNOWN } from '#client/format/amounts.ts'
import { dayText } from '#client/format/dates.ts'
import { rowFit } from '#client/ui/amounts/row-fit.ts'
import { useSeen } from '#client/ui/seen/use-seen.ts'
import type { Activity, LedgerSums } from '#rules/snapshots'
import { signedText } from './activity-row.tsx'
import { sumsOf, unreadSumsAtom } from './day-sums.ts'

/** Breaks after the dot only: long sums stand below each other. */
const DIVIDER = '\u00a0· '

export type DayHeadProps = {
  /** The time of one row of the day. */
  at: string
  items: Activity[]
  /** The list ends within this day, so that the sum needs what is not read yet. */
  isCut: boolean
  titleId: string
}

/** The day and the sum of all its rows, also of those that are not read yet. */
export function DayHead({ at, items, isCut, titleId }: DayHeadProps) {
  const { t } = useTranslation('wallet')
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 pt-4 pb-1">
      <h3 id={titleId} className="font-sans text-xs font-medium text-muted">
        {dayText(at)}
      </h3>
      <p className="ml-auto text-right text-xs text-muted">
        <span className="sr-only">{t('activity.sum')}: </span>
        {isCut ? <CutSums items={items} /> : <Sums items={items} />}
      </p>
    </div>
  )
}

/** Reads the rest of the day if its head is on the screen: above a long day nobody sees it. */
function CutSums({ items }: { items: Activity[] }) {
  const place = useRef<HTMLSpanElement>(null)
  const seen = useSeen(place)
  return <span ref={place}>{seen ? <WholeSums items={items} /> : UNKNOWN}</span>
}

function WholeSums({ items }: { items: Activity[] }) {
  const unread = useAtomValue(unreadSumsAtom)
  return unread ? <Sums items={items} unread={unread} /> : UNKNOWN
}

const sumText = (one: Pick<Activity, 'amount' | 'tokenType'>) =>
  `${signedText(one)} ${one.tokenType}\u00a0·`

function Sums({ items, unread }: { items: Activity[]; unread?: LedgerSums }) {
  return sumsOf(items, unread).map((one, index) => (
    <Fragment key={one.tokenType}>
      {index > 0 && DIVIDER}
      <span className="whitespace-nowrap" style={{ fontSize: rowFit(sumText(one)) }}>
        <span className="figure tracking-normal">{signedText(one)}</span> {one.tokenType}
      </span>
    </Fragment>
  ))
}
