import { randomUUID } from 'node:crypto'

/**
 * What caused some work; job data and change messages carry it to other processes. It is passed on as a
 * value: an `AsyncLocalStorage` made every promise of the process dearer: a gateway spent a tenth to a fifth of its CPU time on it.
 */
export type Cause = {
  /** The id of a request or of a scheduled job. */
  requestId?: string | undefined
  /** The open span in the form of W3C Trace Context; absent while traces are off. */
  traceparent?: string | undefined
}

/** It is written to logs, Redis and a header. */
const USABLE = /^[\w.-]{8,64}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && USABLE.test(text)
}

export function newRequestId(): string {
  return randomUUID()
}
