/** Headers of an answer that is a bare list: the time it was read and the cursor of the next page. */
export const AS_OF_HEADER = 'X-As-Of'
export const NEXT_CURSOR_HEADER = 'X-Next-Cursor'
/** A client-made idempotency key: a repeated request with the same key gets the first answer again. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key'

/**
 * Name of the marker cookie: the id of the member who is signed in. It lives as long as the session
 * cookie but is readable by the page, so that a visitor's page need not ask who is signed in. It
 * grants nothing.
 */
export const MEMBER_COOKIE = 'tesp-member'

/** Name of the cookie with the language that was chosen on the device, in which pages are sent. */
export const LANGUAGE_COOKIE = 'tesp-language'
