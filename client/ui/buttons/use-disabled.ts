import { type FocusEvent, type MouseEvent, useState } from 'react'

type Handlers = {
  onFocus?: (event: FocusEvent<HTMLButtonElement>) => void
  onBlur?: (event: FocusEvent<HTMLButtonElement>) => void
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void
}

/**
 * Attributes of a button that may be disabled. Browsers move the focus of a disabled element to the
 * body, so a focused button is disabled by `aria-disabled` only and ignores clicks until the focus
 * leaves it.
 */
export function useDisabled(disabled: boolean, { onFocus, onBlur, onClick }: Handlers) {
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
