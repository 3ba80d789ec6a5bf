import { useTranslation } from 'react-i18next'
import { classNames } from './class-names.ts'

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-shimmer rounded-chip bg-raised', className)}
    />
  )
}

type SpinnerProps = {
  label?: string
  className?: string
  /** Whether it turns: one that is not visible would make the browser render each frame. */
  turns?: boolean
}

/** Screen readers announce the label; without one it is decorative. */
export function Spinner({ label, className, turns = true }: SpinnerProps) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex">
      <svg
        viewBox="0 0 24 24"
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        aria-hidden="true"
        className={classNames('stroke-current', turns && 'animate-spin', className ?? 'size-5')}
      >
        <circle cx="12" cy="12" r="9" opacity="0.2" />
        <path d="M12 3a9 9 0 0 1 9 9" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}

export function LoadingNote({ text }: { text?: string }) {
  const { t } = useTranslation()
  return (
    <span role="status" className="sr-only">
      {text ?? t('loading')}
    </span>
  )
}
