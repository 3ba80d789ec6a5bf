import { useAtomValue } from 'jotai'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { demoClockAtom } from '#client/data/demo-clock.ts'
import { weekAtom } from '#client/data/earnings.ts'
import { productNow } from '#client/data/product-clock.ts'
import { grouped, UNKNOWN } from '#client/format/amounts.ts'
import { utcDayText, utcWeekdayText } from '#client/format/dates.ts'
import { FitText } from '#client/ui/amounts.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { Panel } from '#client/ui/panel.tsx'
import { useReadWhenSeen } from '#client/ui/scrolled-to.ts'
import { MINED_DAYS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { display, type Money, sum, toUnits } from '#rules/money/money'

type MinedDay = { day: string; mined: Money }

const NO_DAYS = Array.from({ length: MINED_DAYS }, () => undefined)

/** Reads the days when the member scrolls to them. */
export function MinedDays() {
  const { t } = useTranslation('mine')
  const panel = useRef<HTMLElement>(null)
  const clock = useAtomValue(demoClockAtom)
  const data = useReadWhenSeen(weekAtom, panel)
  const mined = data?.days.map(({ day, mining, team }) => ({ day, mined: sum(mining, team) }))
  const days: (MinedDay | undefined)[] = mined ?? NO_DAYS
  const unitsOf = (day: MinedDay | undefined) => (day ? Number(toUnits(day.mined)) : 0)
  const most = Math.max(1, ...days.map(unitsOf))
  return (
    <Panel ref={panel} aria-labelledby="days-title" className="@container py-4! max-[22rem]:px-3!">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 id="days-title" className="font-sans text-xs font-normal tracking-normal text-muted">
          {t('days.title')}
        </h2>
        {clock && <Badge tone="amber">{t('days.demoClock', { speed: clock.speed })}</Badge>}
      </div>
      {/* With large text a row for each day instead of a column. */}
      <dl className="mt-3 grid grid-cols-7 gap-1 text-center @max-[13rem]:grid-cols-1">
        {days.map((day, index) => (
          <Day key={day?.day ?? `unknown ${index + 1}`} day={day} share={unitsOf(day) / most} />
        ))}
      </dl>
    </Panel>
  )
}

function Day({ day, share }: { day: MinedDay | undefined; share: number }) {
  const { t } = useTranslation('mine')
  const isToday = day?.day === dayText(productNow() ?? Date.now())
  return (
    <div
      className={classNames(
        'flex min-w-0 flex-col @max-[13rem]:flex-row @max-[13rem]:gap-3',
        isToday ? 'text-ink' : 'text-muted',
      )}
    >
      <span aria-hidden="true" className="flex h-8 items-end justify-center @max-[13rem]:hidden">
        <span
          className={classNames(
            'w-2 rounded-full',
            share === 0 ? 'bg-line-strong' : isToday ? 'bg-mint' : 'bg-mint-line',
          )}
          style={{ height: `max(0.5rem, ${(share * 100).toFixed(1)}%)` }}
        />
      </span>
      <dt className="mt-1 shrink-0 text-xs @max-[13rem]:mt-0">
        {day ? (
          <time dateTime={day.day} title={utcDayText(day.day)}>
            {isToday ? (
              <FitText text={t('days.today')} className="@max-[13rem]:min-w-[5em]" />
            ) : (
              utcWeekdayText(day.day)
            )}
          </time>
        ) : (
          UNKNOWN
        )}
      </dt>
      <dd className="figure grow text-xs @max-[13rem]:text-right">
        <FitText text={day ? grouped(display(day.mined, 2)) : UNKNOWN} />
      </dd>
    </div>
  )
}
