import { classNames } from '#client/ui/class-names.ts'

/** The sign of a running session; the text beside it says so. */
export function MiningDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('size-2 shrink-0 rounded-full bg-mint', className)}
    />
  )
}
