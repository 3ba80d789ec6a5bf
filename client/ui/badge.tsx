import type { ReactNode } from 'react'
import { classNames } from '#client/ui/class-names.ts'

const tones = {
  mint: 'border-mint-line bg-mint-soft text-mint',
  sky: 'border-sky-line bg-sky-soft text-sky',
  amber: 'border-amber-line bg-amber-soft text-amber',
}

type BadgeProps = { tone?: keyof typeof tones; children: ReactNode }

export function Badge({ tone = 'mint', children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex shrink-0 items-center rounded-full border px-2 py-0.5 text-xs font-medium',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
