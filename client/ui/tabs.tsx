import { Tabs as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classNames } from '#client/ui/class-names.ts'

/** Takes `value`/`onValueChange` or `defaultValue`; contains a `TabsList` and `TabsContent`s. */
export const Tabs = Primitive.Root

/** The row of tabs; needs an `aria-label`. */
export function TabsList({ className, ...rest }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={classNames(
        'flex flex-wrap gap-1 rounded-control border border-line bg-panel p-1',
        className,
      )}
      {...rest}
    />
  )
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={classNames(
        // Equal widths, unless a word needs more.
        'min-h-11 min-w-min grow basis-0 rounded-chip px-2 text-sm font-medium text-muted transition hover:text-ink',
        'data-[state=active]:bg-pressed data-[state=active]:text-ink disabled:cursor-not-allowed disabled:hover:text-muted',
        className,
      )}
      {...rest}
    />
  )
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Content
      className={classNames('rounded-chip data-[state=active]:animate-fade-in', className)}
      {...rest}
    />
  )
}
