import { dateTimeText } from '#client/format/dates.ts'

/** The time of a ledger row. */
export function ActivityTime({ at, className }: { at: string; className?: string }) {
  return (
    <time dateTime={at} className={className}>
      {dateTimeText(at)}
    </time>
  )
}
