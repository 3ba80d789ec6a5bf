import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '#client/ui/class-names.ts'

/** A bordered surface; a landmark if it has `aria-label` or `aria-labelledby`. */
export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      className={classNames('rounded-panel border border-line bg-panel p-panel', className)}
      {...rest}
    />
  )
}

type TitledPanelProps = Pick<ComponentProps<'section'>, 'className' | 'onFocus' | 'onBlur'> & {
  /** Id of the title, which names the landmark. */
  titleId: string
  title: string
  /** Follows the title on its line. */
  trailing?: ReactNode
  /** Lays out the title and `trailing`, whose texts may be too long for one line. */
  headClassName?: string
  children: ReactNode
}

export function TitledPanel(props: TitledPanelProps) {
  const { titleId, title, trailing, headClassName, children, ...rest } = props
  const heading = (
    <h2 id={titleId} className="text-base">
      {title}
    </h2>
  )
  return (
    <Panel aria-labelledby={titleId} {...rest}>
      {trailing === undefined ? (
        heading
      ) : (
        <div className={classNames('flex justify-between', headClassName)}>
          {heading}
          {trailing}
        </div>
      )}
      {children}
    </Panel>
  )
}
