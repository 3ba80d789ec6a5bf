import { useTranslation } from 'react-i18next'
import { classNames } from '#client/ui/class-names.ts'
import { activitySummary, type HourOfCredits } from './network-status.ts'

/** Geometry of the chart (`activity-chart.tsx`), px and percent of an hour's width. */
const TOP = 4
const HEIGHT = 116
const MIN_HEIGHT = 3
const WIDTH_PERCENT = 65
const LABEL_TOP = TOP + HEIGHT + 8
export const LABEL_EVERY = 6

const isSecond = (index: number): boolean => (index / LABEL_EVERY) % 2 === 1

/** The bars of the chart without its tooltips: drawn at once, while the chart takes 150 kB of code. */
export function ActivityBars({ hours }: { hours: HourOfCredits[] }) {
  const { t } = useTranslation('network')
  const most = Math.max(1, ...hours.map(({ credits }) => credits))
  const slot = 100 / hours.length
  return (
    <svg
      role="img"
      aria-label={t('activity.chart', { summary: activitySummary(hours) })}
      // Large labels are higher than their place.
      className="h-full w-full overflow-visible fill-mint font-sans text-nav"
    >
      {hours.map(({ label, credits }, index) => {
        const height = Math.max(MIN_HEIGHT, (credits / most) * HEIGHT)
        const left = (index + (1 - WIDTH_PERCENT / 100) / 2) * slot
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two hours may have one label
          <g key={index}>
            <rect
              x={`${left}%`}
              y={TOP + HEIGHT - height}
              width={`${(slot * WIDTH_PERCENT) / 100}%`}
              height={height}
              rx={2}
            />
            {index % LABEL_EVERY === 0 && (
              <text
                x={index === 0 ? 0 : `${(index + 0.5) * slot}%`}
                y={LABEL_TOP}
                textAnchor={index === 0 ? 'start' : 'middle'}
                dominantBaseline="hanging"
                // With large text there is room for every second label.
                className={classNames('fill-muted', isSecond(index) && '@max-[10rem]:hidden')}
              >
                {label}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
