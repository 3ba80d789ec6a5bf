/** Headers of an answer that is a bare list: the time it was read and the cursor of the next page. */
export const AS_OF_HEADER = 'X-As-Of'
export const NEXT_CURSOR_HEADER = 'X-Next-Cursor'
/** A client-made idempotency key: a repeated request with the same key gets the first answer again. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'
