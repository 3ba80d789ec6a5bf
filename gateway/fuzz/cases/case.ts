/** One request of the fuzzer; its name and caller are enough to repeat it. */
export type FuzzCase = {
  name: string
  method: string
  /** Path and query, sent without normalisation. */
  path: string
  /** Added to the headers that the client sends; `undefined` removes one of those. */
  headers?: Record<string, string | string[] | undefined>
  body?: string | Buffer
  /**
   * Allowed statuses. Absent for input that is unusual but not invalid: then any response is
   * allowed that is no 5xx and no rate limit, and the database must not change.
   */
  statuses?: readonly number[]
  /** Required `code` of the error, so that no other reason passes for the expected one. */
  code?: string
  /** Default: both callers send it. */
  from?: Caller
}

/** A case of a route has its method and its path unless it names others; a body is JSON by default. */
export type RouteCase = Omit<FuzzCase, 'method' | 'path'> &
  Partial<Pick<FuzzCase, 'method' | 'path'>>

/** A client without cookies, or a signed-in member. */
export type Caller = 'visitor' | 'member'

/** Placeholder in a header for the origin of the gateway. */
export const OWN_ORIGIN = '<own>'
