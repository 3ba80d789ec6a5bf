import { object, string } from 'yup'

/** The form of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY = /^[\w.~-]{8,128}$/

/** Body of POST /api/commands/cancel: the key of the command. */
export const cancelBody = object({
  key: string()
    .required('Idempotency-Key is not usable')
    .max(128, 'Idempotency-Key is not usable')
    .matches(IDEMPOTENCY_KEY, 'Idempotency-Key is not usable'),
})
