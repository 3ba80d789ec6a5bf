import type { LucideIcon } from 'lucide-react'
import { Slot } from 'radix-ui'
import { type ComponentProps, type FocusEvent, type MouseEvent, useState } from 'react'
import { Link } from 'wouter'
import { classNames } from '#client/ui/class-names.ts'
import { Spinner } from '#client/ui/loading.tsx'

const variants = {
  primary:
    'bg-linear-to-b from-mint to-mint-deep font-semibold text-on-mint hover:brightness-108 active:brightness-95',
  secondary:
    'border border-line-strong bg-raised font-medium text-ink hover:bg-pressed active:bg-panel',
  ghost: 'font-medium text-muted hover:bg-raised hover:text-ink',
  destructive:
    'border border-coral-line bg-coral-soft font-medium text-coral hover:border-coral active:bg-panel',
}

const sizes = {
  medium: 'min-h-11 px-4 py-2 text-sm',
  field: 'min-h-12 px-3.5 py-1 text-sm',
  large: 'min-h-12 px-5 py-2 text-base',
  icon: 'size-11',
}

export type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  icon?: LucideIcon
  /** Shows a spinner; the width does not change. */
  busy?: boolean
  /** Label while busy; without it the spinner replaces the label. */
  busyLabel?: string
  /** In place of `onClick`: the button is busy until it resolves. */
  onPress?: () => Promise<unknown>
  /** Styles the only child, such as a link, instead of rendering a button. */
  asChild?: boolean
}

export function Button({
  variant = 'primary',
  size = 'medium',
  icon: Icon,
  busy: isGivenBusy = false,
  busyLabel,
  onPress,
  asChild = false,
  disabled = false,
  className,
  children,
  type = 'button',
  onFocus,
  onBlur,
  onClick,
  ...rest
}: ButtonProps) {
  const [isPressed, setPressed] = useState(false)
  const busy = isGivenBusy || isPressed
  function press(action: () => Promise<unknown>) {
    setPressed(true)
    void action().finally(() => setPressed(false))
  }
  const attributes = useDisabled(disabled || busy, {
    onFocus,
    onBlur,
    onClick: onPress ? () => press(onPress) : onClick,
  })
  const style = classNames(
    'relative inline-flex max-w-full shrink-0 select-none items-center justify-center gap-2 rounded-control text-balance transition [&_svg]:shrink-0',
    'off:cursor-not-allowed',
    busy ? 'cursor-progress' : 'off:border-transparent off:bg-raised off:bg-none',
    !busy && 'off:text-muted off:brightness-100',
    variants[variant],
    sizes[size],
    className,
  )
  if (asChild) {
    return (
      <Slot.Root className={style} {...{ onClick, onFocus, onBlur }} {...rest}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button type={type} aria-busy={busy || undefined} className={style} {...attributes} {...rest}>
      <Labels busy={busy} busyLabel={busyLabel}>
        {Icon && <Icon className="size-4" />}
        {children}
      </Labels>
    </button>
  )
}

/** A link that looks like a button. */
export function LinkButton({ href, children, ...look }: ButtonProps & { href: string }) {
  return (
    <Button asChild variant="secondary" {...look}>
      <Link href={href}>{children}</Link>
    </Button>
  )
}

/** One grid cell for both labels, so that the wider one sets the width. */
function Labels({
  busy,
  busyLabel,
  children,
}: Pick<ButtonProps, 'busy' | 'busyLabel' | 'children'>) {
  // Beside an icon lines start at one edge.
  const idle =
    'col-start-1 row-start-1 inline-flex items-center justify-center gap-2 has-[svg]:text-left'
  if (!busyLabel) {
    return (
      <>
        <span className={classNames(idle, busy && 'opacity-0')}>{children}</span>
        {busy && (
          <span className="absolute">
            <Spinner />
          </span>
        )}
      </>
    )
  }
  return (
    <span className="grid">
      <span className={classNames(idle, busy && 'invisible')}>{children}</span>
      <span className={classNames(idle, !busy && 'invisible')}>
        <Spinner className="size-4" turns={busy} />
        {busyLabel}
      </span>
    </span>
  )
}

type ButtonHandlers = Pick<ComponentProps<'button'>, 'onFocus' | 'onBlur' | 'onClick'>

/**
 * Browsers move the focus of a disabled element to the body, so a focused button is disabled by `aria-disabled` only
 * and ignores clicks until the focus leaves it.
 */
export function useDisabled(disabled: boolean, { onFocus, onBlur, onClick }: ButtonHandlers) {
  const [focused, setFocused] = useState(false)
  return {
    disabled: disabled && !focused,
    'aria-disabled': (disabled && focused) || undefined,
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(true)
      onFocus?.(event)
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setFocused(false)
      onBlur?.(event)
    },
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      // Prevents the submit of a form too.
      if (disabled) event.preventDefault()
      else onClick?.(event)
    },
  }
}
