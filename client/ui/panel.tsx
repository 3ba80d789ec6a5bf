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
  titleId: string
  title: string
  trailing?: ReactNode
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
