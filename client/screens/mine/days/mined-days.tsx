import { useAtomValue } from 'jotai'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { balanceText, UNKNOWN } from '#client/format/amounts.ts'
import { utcDayText, utcWeekdayText } from '#client/format/dates.ts'
import { FitText } from '#client/ui/amounts/fit-text.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { Panel } from '#client/ui/panel.tsx'
import { useScrolledTo } from '#client/ui/seen/use-scrolled-to.ts'
import { MINED_DAYS } from '#rules/constants'
import { toUnits } from '#rules/money/money'
import type { MinedDay } from '#rules/snapshots'
import { minedDaysAtom } from './mined-days.ts'

/** The last seven days as a quiet row. It is read when the member scrolls to it. */
export function MinedDays() {
  const { t } = useTranslation('mine')
  const panel = useRef<HTMLElement>(null)
  const seen = useScrolledTo(panel)
  return (
    <Panel ref={panel} aria-labelledby="days-title" className="@container py-4! max-[22rem]:px-3!">
      <h2 id="days-title" className="font-sans text-xs font-normal tracking-normal text-muted">
        {t('days.title')}
      </h2>
      {seen ? <ReadDays /> : <Days />}
    </Panel>
  )
}

function ReadDays() {
  return <Days days={useAtomValue(minedDaysAtom)} />
}

const NO_DAYS = Array.from({ length: MINED_DAYS }, () => undefined)

function Days({ days }: { days?: MinedDay[] }) {
  const most = Math.max(1, ...(days ?? []).map(({ mined }) => Number(toUnits(mined))))
  const columns: (MinedDay | undefined)[] = days ?? NO_DAYS
  return (
    // With large text a row for each day instead of a column.
    <dl className="mt-3 grid grid-cols-7 gap-1 text-center @max-[13rem]:grid-cols-1">
      {columns.map((day, index) => (
        <Day
          key={day?.day ?? `unknown ${index + 1}`}
          day={day}
          share={day ? Number(toUnits(day.mined)) / most : 0}
          isToday={index === columns.length - 1}
        />
      ))}
    </dl>
  )
}

type DayProps = { day: MinedDay | undefined; share: number; isToday: boolean }

function Day({ day, share, isToday }: DayProps) {
  return (
    <div
      className={classNames(
        'flex min-w-0 flex-col @max-[13rem]:flex-row @max-[13rem]:gap-3',
        isToday ? 'text-ink' : 'text-muted',
      )}
    >
      <span aria-hidden="true" className="flex h-8 items-end justify-center @max-[13rem]:hidden">
        <span
          className={classNames('w-2 rounded-full', isToday ? 'bg-mint' : 'bg-mint-line')}
          style={{ height: `max(2px, ${(share * 100).toFixed(1)}%)` }}
        />
      </span>
      <dt className="mt-1 shrink-0 text-xs @max-[13rem]:mt-0">
        {day ? (
          <time dateTime={day.day} title={utcDayText(day.day)}>
            {utcWeekdayText(day.day)}
          </time>
        ) : (
          UNKNOWN
        )}
      </dt>
      <dd className="figure grow text-xs @max-[13rem]:text-right">
        <FitText text={day ? balanceText(day.mined, 'TESP') : UNKNOWN} />
      </dd>
    </div>
  )
}
