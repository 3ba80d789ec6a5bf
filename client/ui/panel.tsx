import type { ComponentProps } from 'react'
import { classNames } from '#client/ui/class-names.ts'

/** A hairline surface. Give it `aria-label` or `aria-labelledby` where it is a landmark. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      className={classNames('rounded-panel border border-line bg-panel p-5', className)}
      {...rest}
    />
  )
}
