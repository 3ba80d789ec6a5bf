import type { Change } from '#runtime/pubsub'

/** Routes whose unchanged state is decided from memory. */
export const POLLED_ROUTES = ['/api/mining/status', '/api/wallet', '/api/inbox/state'] as const
export type PolledRoute = (typeof POLLED_ROUTES)[number]

/** An answer that this gateway sent, without its content. */
type SentAnswer = {
  etag: string
  /** `users.authEpoch` of the snapshot: a sign-in of another epoch has ended. */
  epoch: number
  /** Real ms after the read for which only a write can change the answer. */
  unchangedMs: number
}

/** A read of a member's answer; its object is the identity of the read. */
type PollTicket = {
  readonly route: PolledRoute
  readonly memberId: number
  /** Before the read, monotonic ms. */
  readonly readAt: number
  answer?: SentAnswer
}

/**
 * Longest time between a confirmation by Postgres and an answer that relies on it: with the time of
 * an answer below the 5 s that a poll may be wrong.
 */
const CONFIRMED_MS = 4_000
/** Longest life of an entry: bounds what no row of the poll log reports. */
const MAX_AGE_MS = 60_000

/**
 * ETags last answered, by route and member. An entry counts while Postgres has confirmed it within
 * `CONFIRMED_MS`: by its own read, or by a later read of the poll log that did not name its member
 * (decision 17). Change messages drop entries earlier; the bound does not depend on them.
 */
export class PollCache {
  private readonly entries: Record<PolledRoute, Map<number, PollTicket>> = {
    '/api/mining/status': new Map(),
    '/api/wallet': new Map(),
    '/api/inbox/state': new Map(),
  }
  /** Changes committed after this time are reported; undefined while the log is not followed. */
  private followedSince: number | undefined
  private confirmedAt = Number.NEGATIVE_INFINITY

  /**
   * @param capacity entries of each route; the oldest read leaves first
   * @param now monotonic ms
   */
  constructor(
    private readonly capacity: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Call it before the read of an answer. A change that arrives during the read removes the ticket. */
  begin(route: PolledRoute, memberId: number): PollTicket {
    const entries = this.entries[route]
    const ticket: PollTicket = { route, memberId, readAt: this.now() }
    // Deleted first, so that the order of the map is the order of reads.
    entries.delete(memberId)
    entries.set(memberId, ticket)
    if (entries.size > this.capacity) entries.delete(entries.keys().next().value as number)
    return ticket
  }

  /** Keeps the answer of a read, unless its ticket was removed meanwhile. */
  keep(ticket: PollTicket, answer: SentAnswer): void {
    if (this.entries[ticket.route].get(ticket.memberId) === ticket) ticket.answer = answer
  }

  /** The ETag that the member's answer still has; undefined if only Postgres can say. */
  currentEtag(route: PolledRoute, memberId: number, epoch: number): string | undefined {
    const entry = this.entries[route].get(memberId)
    if (!entry?.answer || entry.answer.epoch !== epoch) return undefined
    const now = this.now()
    if (now >= entry.readAt + Math.min(entry.answer.unchangedMs, MAX_AGE_MS)) return undefined
    return now - this.confirmationOf(entry) < CONFIRMED_MS ? entry.answer.etag : undefined
  }

  private confirmationOf({ readAt }: PollTicket): number {
    const isFollowed = this.followedSince !== undefined && readAt >= this.followedSince
    return isFollowed ? Math.max(readAt, this.confirmedAt) : readAt
  }

  /** Drops what a change message names; before the log does, and without a promise. */
  readonly onChange = (change: Change): void => {
    if (change.kind === 'members') this.drop(change.memberIds)
    else if (change.kind === 'announcements') this.dropAnnouncements()
    else if ('memberId' in change) this.drop([change.memberId])
  }

  /** Every bell shows the announcements. */
  dropAnnouncements(): void {
    this.entries['/api/inbox/state'].clear()
  }

  drop(memberIds: number[]): void {
    for (const entries of Object.values(this.entries)) {
      for (const memberId of memberIds) entries.delete(memberId)
    }
  }

  dropAll(): void {
    for (const entries of Object.values(this.entries)) entries.clear()
  }

  /** A first read of the log has returned: it reports changes after `at`. */
  follow(at: number): void {
    this.followedSince = at
    this.confirmedAt = Number.NEGATIVE_INFINITY
  }

  /** A read of the log that started at `at` found no changes but those dropped before this call. */
  confirm(at: number): void {
    this.confirmedAt = at
  }

  /** The log is not read any more: changes may be missed. */
  unfollow(): void {
    this.followedSince = undefined
    this.dropAll()
  }
}
