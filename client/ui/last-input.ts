import { useEffect } from 'react'

function onPointer() {
  document.documentElement.dataset.input = 'pointer'
}

function onKey() {
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
