import { classNames } from '#client/ui/class-names.ts'

/** A placeholder while content loads; `className` sets its size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-shimmer rounded-chip bg-raised', className)}
    />
  )
}
