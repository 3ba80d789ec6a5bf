/** One request that must do no harm; its name and its sender are enough to repeat it. */
export type BadRequest = {
  name: string
  method: string
  /** Path and query, sent as they stand here. */
  path: string
  /** Beside what a page of the product sends; `undefined` takes one of those away. */
  headers?: Record<string, string | string[] | undefined>
  body?: string | Buffer
  /**
   * The statuses that are right. Where it is absent, nothing is wrong but the looks of the input,
   * and any answer will do that is no fault of ours, no limit, and changes nothing.
   */
  statuses?: readonly number[]
  /** The code that a refusal has to carry, so that no other reason passes for the right one. */
  code?: string
  /** Who sends it; absent, a visitor and a signed-in member do. */
  from?: Sender
}

/** Somebody without cookies, or somebody signed in. */
export type Sender = 'visitor' | 'member'

/** Both senders of a request, or the only one. */
export function sendersOf({ from }: BadRequest): readonly Sender[] {
  return from ? [from] : ['visitor', 'member']
}

/** Stands in a header for the address of the gateway that is asked. */
export const OWN = '<own>'
