import { useEffect } from 'react'

let pressed: Element | null = null

/** The element of the last tap, click or key press; null before the first. */
export const lastPressed = (): Element | null => pressed

function onPointer({ target }: PointerEvent) {
  pressed = target instanceof Element ? (target.closest('a, button, label, input') ?? target) : null
  document.documentElement.dataset.input = 'pointer'
}

function onKey() {
  pressed = document.activeElement
  document.documentElement.dataset.input = 'keyboard'
}

/**
 * Marks the document with the kind of the last input; called once in the app. Browsers show a focus
 * ring when a script moves the focus on the first tap; theme.css hides it after a pointer.
 */
export function useLastInput(): void {
  useEffect(() => {
    window.addEventListener('pointerdown', onPointer, true)
    window.addEventListener('keydown', onKey, true)
    return () => {
      window.removeEventListener('pointerdown', onPointer, true)
      window.removeEventListener('keydown', onKey, true)
    }
  }, [])
}
