/** What caused some work. Passed as a value: `AsyncLocalStorage` took a tenth to a fifth of a gateway's CPU time. */
export type Cause = {
  requestId?: string | undefined
  /** The open span in the form of W3C Trace Context; absent while traces are off. */
  traceparent?: string | undefined
}

/** The id is written to logs, Redis and a header. */
const USABLE = /^[\w.-]{8,64}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && USABLE.test(text)
}
