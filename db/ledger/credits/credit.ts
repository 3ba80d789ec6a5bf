/** A written credit: interval `n` of a session; `hasMore` if the next one is due as well. */
export type Credit = { sessionId: number; userId: number; n: number; hasMore: boolean }
