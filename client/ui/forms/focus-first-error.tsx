import { useFormikContext } from 'formik'
import { useEffect, useRef } from 'react'

/** Focuses the first invalid field of the surrounding Formik form after a failed submit. */
export function FocusFirstError() {
  const { submitCount, isSubmitting } = useFormikContext()
  const marker = useRef<HTMLSpanElement>(null)
  const handled = useRef(0)
  useEffect(() => {
    if (isSubmitting || handled.current === submitCount) return
    handled.current = submitCount
    marker.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount, isSubmitting])
  return <span ref={marker} hidden />
}
