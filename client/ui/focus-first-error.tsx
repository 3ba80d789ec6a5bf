import { useFormikContext } from 'formik'
import { useEffect, useRef } from 'react'

/** Inside a Formik form: after a submit that was refused, the first wrong field takes the focus. */
export function FocusFirstError() {
  const { submitCount, isSubmitting } = useFormikContext()
  const mark = useRef<HTMLSpanElement>(null)
  const handled = useRef(0)
  useEffect(() => {
    if (isSubmitting || handled.current === submitCount) return
    handled.current = submitCount
    mark.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount, isSubmitting])
  return <span ref={mark} hidden />
}
