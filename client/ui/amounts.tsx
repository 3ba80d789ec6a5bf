import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exactText, type Token } from '#client/format/amounts.ts'
import { fromUnits, type Money, toUnits } from '#rules/money/money'
import { classNames } from './class-names.ts'
import { Tooltip } from './dialogs/tooltip.tsx'
import { LONGEST_ANIMATION_MS, prefersReducedMotion } from './theme.ts'

type ExactAmountProps = {
  text: string
  amount: Money
  token: Token
  className?: string
}

/** A tap, focus or hover shows the eight decimals. */
export function ExactAmount({ text, amount, token, className }: ExactAmountProps) {
  const { t } = useTranslation()
  return (
    <Tooltip content={<span className="figure">{exactText(amount, token)}</span>}>
      <button
        type="button"
        aria-label={t('exact', { amount: text, token })}
        // Taller than its text, for a finger.
        className={classNames(
          'relative block w-full min-w-0 rounded-chip after:absolute after:inset-x-0 after:-inset-y-2',
          className ?? 'text-left',
        )}
      >
        <FitText text={text} />
      </button>
    </Tooltip>
  )
}

/** Widths of the display face, em: a tabular digit or capital, and a separator. */
const DIGIT_EM = 0.62
const SEPARATOR_EM = 0.32

export function widthEm(text: string): number {
  const separators = text.match(/[,. :]/g)?.length ?? 0
  return (text.length - separators) * DIGIT_EM + separators * SEPARATOR_EM
}

/** Gets smaller where it would not fit. It fills its parent, so in a row the parent must grow. */
export function FitText({ text, className }: { text: string; className?: string }) {
  return (
    <span className={classNames('@container block w-full min-w-0', className)}>
      <span
        className="inline-block whitespace-nowrap"
        style={{ fontSize: `min(1em, calc(100cqi / ${widthEm(text).toFixed(2)}))` }}
      >
        {text}
      </span>
    </span>
  )
}

/** For rows shared with a title, where `FitText` has no width: large text would make the page scroll sideways. */
export const rowFit = (text: string): string =>
  `min(1em, calc((100vw - min(4.75rem, 23.75vw)) / ${widthEm(text).toFixed(2)}))`

const COUNT_UP_STEPS = 10_000

/** The eased amount between two amounts; `share` 0…1. */
export function between(from: Money, to: Money, share: number): Money {
  const eased = 1 - (1 - Math.min(1, Math.max(0, share))) ** 3
  const step = BigInt(Math.round(eased * COUNT_UP_STEPS))
  return fromUnits(toUnits(from) + ((toUnits(to) - toUnits(from)) * step) / BigInt(COUNT_UP_STEPS))
}

const skipsAnimation = () => document.hidden || prefersReducedMotion()

/** The amount; counts up to a larger one while the page is visible. */
export function useCountUp(amount: Money): Money {
  const [shown, setShown] = useState(amount)
  const from = useRef(amount)
  useEffect(() => {
    const start = from.current
    if (toUnits(amount) <= toUnits(start) || skipsAnimation()) {
      from.current = amount
      setShown(amount)
      return
    }
    const startedAt = performance.now()
    const step = (now: number) => {
      const share = (now - startedAt) / LONGEST_ANIMATION_MS
      from.current = between(start, amount, share)
      setShown(from.current)
      if (share < 1) frame = requestAnimationFrame(step)
    }
    let frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [amount])
  return shown
}

export function TokenLogo({ token, className }: { token: Token; className?: string }) {
  const shape = classNames('shrink-0', className ?? 'size-10')
  if (token === 'TESP') {
    return (
      <svg viewBox="0 0 40 40" fill="none" aria-hidden="true" className={shape}>
        <circle cx="20" cy="20" r="19.5" className="fill-mint-soft stroke-mint-line" />
        <g className="stroke-mint" strokeWidth="2.75" strokeLinecap="round">
          <path d="M11.6 17.2a9 9 0 0 1 16.8 0" />
          <path d="M20 11.4v17.4" />
        </g>
      </svg>
    )
  }
  return (
    <svg viewBox="0 0 40 40" fill="none" aria-hidden="true" className={shape}>
      <circle cx="20" cy="20" r="19.5" className="fill-sky-soft stroke-sky-line" />
      <g className="stroke-sky" strokeWidth="2.75" strokeLinecap="round">
        <path d="M13.2 12v9.2a6.8 6.8 0 0 0 13.6 0V12" />
        <path d="M10.5 16.8h19" />
      </g>
    </svg>
  )
}
