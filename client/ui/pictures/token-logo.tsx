import type { Token } from '#client/format/amounts.ts'
import { classNames } from '#client/ui/class-names.ts'

/** The logo of a token; decorative, because its name is always next to it. */
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
