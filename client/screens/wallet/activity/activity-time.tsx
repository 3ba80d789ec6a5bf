import { useAtomValue } from 'jotai'
import { dateTimeText } from '#client/format/dates.ts'
import { demoClockAtom, realTime } from './demo-clock.ts'

/** The real time of a ledger row. */
export function ActivityTime({ at, className }: { at: string; className?: string }) {
  const time = realTime(at, useAtomValue(demoClockAtom))
  return (
    <time dateTime={time} className={className}>
      {dateTimeText(time)}
    </time>
  )
}
