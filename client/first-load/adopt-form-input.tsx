import { useFormikContext } from 'formik'
import { useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { INTERACTIVE, replayClicks } from './replay-clicks.ts'

/** Attribute of the root of a prerendered page until the page is interactive. */
const WAITING = 'data-page'

/** Takes over what was typed and pressed before hydration; the next render would otherwise empty the fields. */
export function AdoptFormInput() {
  const { values, setFieldValue } = useFormikContext<Record<string, unknown>>()
  const marker = useRef<HTMLSpanElement>(null)
  const taken = useRef(false)
  useLayoutEffect(() => {
    const form = marker.current?.closest('form')
    const root = form?.closest(`[${WAITING}]`)
    if (taken.current || !form || !root) return
    taken.current = true
    for (const { name, value } of form.querySelectorAll<HTMLInputElement>('input[name]')) {
      const current = values[name]
      if (typeof current === 'string' && current !== value) void setFieldValue(name, value)
    }
    // A press may submit the form, so the values are rendered before.
    setTimeout(() => {
      replayClicks(flushSync)
      root.removeAttribute(WAITING)
      root.dispatchEvent(new Event(INTERACTIVE))
    }, 0)
  })
  return <span ref={marker} hidden />
}
