import { Progress as Primitive } from 'radix-ui'
import { classNames } from './class-names.ts'
import { Skeleton } from './loading.tsx'

const tones = { mint: 'bg-mint', sky: 'bg-sky', amber: 'bg-amber' }

type ProgressProps = {
  /** 0…100; null while it is unknown. */
  value: number | null
  label: string
  /** Text for screen readers instead of the percentage. */
  valueText?: string
  tone?: keyof typeof tones
  className?: string
}

export function Progress({ value, label, valueText, tone = 'mint', className }: ProgressProps) {
  const shown = value === null ? null : Math.min(100, Math.max(0, value))
  return (
    <Primitive.Root
      value={shown}
      aria-label={label}
      {...(valueText ? { getValueLabel: () => valueText } : {})}
      className={classNames('h-1.5 w-full overflow-hidden rounded-full bg-pressed', className)}
    >
      <Primitive.Indicator
        className={classNames('h-full origin-left rounded-full transition-transform', tones[tone])}
        // A tenth of a percent: less is not visible, and would be animated each time.
        style={{ transform: `translateX(${((shown ?? 0) - 100).toFixed(1)}%)` }}
      />
    </Primitive.Root>
  )
}

type MeterProps = Pick<ProgressProps, 'value' | 'label' | 'tone'> & { text?: string | null }

/** A progress bar below its label and figure, which is its percentage unless `text` is given. */
export function Meter({ value, label, tone, text }: MeterProps) {
  const figure = text ?? (value === null ? undefined : `${value}%`)
  return (
    <div>
      <div className="mb-2 flex min-h-5 flex-wrap items-center justify-between gap-x-3 text-sm">
        <span aria-hidden="true" className="font-medium">
          {label}
        </span>
        {figure ? <span className="figure">{figure}</span> : <Skeleton className="h-4 w-16" />}
      </div>
      <Progress value={value} label={label} valueText={figure} tone={tone} />
    </div>
  )
}
