import { classNames } from '#client/ui/class-names.ts'

/** The logo: a T whose beam is an arc of the dial, with the last credit at its end. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 40 40"
      fill="none"
      aria-hidden="true"
      className={classNames('shrink-0', className ?? 'size-10')}
    >
      <circle cx="20" cy="20" r="18.5" className="stroke-mint-line" />
      <g className="stroke-mint" strokeWidth="3" strokeLinecap="round">
        <path d="M9.6 16.2a11.1 11.1 0 0 1 20.8 0" />
        <path d="M20 9v21.5" />
      </g>
      <circle cx="29.2" cy="26.3" r="1.9" className="fill-mint" />
    </svg>
  )
}
