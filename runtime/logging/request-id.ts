import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** What caused the work that runs now; job data and change messages carry it to other processes. */
export type Cause = {
  /** The id of a request or of a scheduled job. */
  requestId?: string
  /** The open span in the form of W3C Trace Context; absent while traces are off. */
  traceparent?: string
}

/**
 * The cause of what runs now, so that the log lines and spans of a press, its jobs and its pushes
 * belong together.
 */
const current = new AsyncLocalStorage<Cause>()

/** It is written to logs, Redis and a header. */
const USABLE = /^[\w.-]{8,64}$/

export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && USABLE.test(text)
}

export function newRequestId(): string {
  return randomUUID()
}

/** The id of what runs now; undefined outside of requests and jobs. */
export function requestId(): string | undefined {
  return current.getStore()?.requestId
}

/** The cause of what runs now; empty outside of requests and jobs. */
export function currentCause(): Cause {
  return current.getStore() ?? {}
}

/** Runs `work`, and everything that it starts, under this cause. */
export function withCause<T>({ requestId, traceparent }: Cause, work: () => T): T {
  if (requestId === undefined && traceparent === undefined) return work()
  return current.run({ requestId, traceparent }, work)
}

/** Runs `work`, and everything that it starts, under this id. */
export function withRequestId<T>(requestId: string | undefined, work: () => T): T {
  return withCause({ requestId }, work)
}
