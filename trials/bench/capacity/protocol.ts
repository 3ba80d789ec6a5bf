/** Where the members of the load generator go. */
export type Target = { port: number; origin: string }

/**
 * Members that join, `atOnce` of them at a time; every second one keeps a socket, the others poll.
 */
export type Joining = { target: Target; cookies: string[]; atOnce: number }

/** Counted since the last `reset`. */
export type MemberFigures = {
  /** Latency of each HTTP answer since the moment at which its request was due, ms. */
  latenciesMs: number[]
  /** Answers by status. */
  statuses: Record<number, number>
  /** Events that sockets received. */
  pushes: number
  /** Sockets that were lost, and requests without an answer. */
  failures: number
}

export const noFigures = (): MemberFigures => ({
  latenciesMs: [],
  statuses: {},
  pushes: 0,
  failures: 0,
})

export type ToMembers = { join: Joining } | 'reset' | 'read'
export type FromMembers = 'joined' | { figures: MemberFigures }
