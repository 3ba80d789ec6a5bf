import type { ComponentProps } from 'react'
import { classNames } from '#client/ui/class-names.ts'

/** A bordered surface; a landmark if it has `aria-label` or `aria-labelledby`. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      className={classNames('rounded-panel border border-line bg-panel p-5', className)}
      {...rest}
    />
  )
}
