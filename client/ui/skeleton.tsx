import { classNames } from '#client/ui/class-names.ts'

/** The shape of what is coming; its size comes from `className`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-shimmer rounded-chip bg-raised', className)}
    />
  )
}
