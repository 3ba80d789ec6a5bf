import { useFormikContext } from 'formik'
import { useEffect, useRef } from 'react'

/** Clears a code that was typed before another one was requested: it belongs to an earlier mail. */
export function useEarlierCode() {
  const { values, setFieldValue } = useFormikContext<{ otp: string }>()
  const typed = useRef(values.otp)
  useEffect(() => {
    typed.current = values.otp
  })
  /**
   * @param earlier the code in the field when the request was sent
   * @returns false if the field has changed since then: the mail may arrive before the answer
   */
  return async function clearEarlier(earlier: string): Promise<boolean> {
    if (typed.current !== earlier) return false
    await setFieldValue('otp', '')
    return true
  }
}
