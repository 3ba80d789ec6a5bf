import type { Change } from '#runtime/pubsub'

export const POLLED_ROUTES = ['/api/mining/status', '/api/wallet', '/api/inbox/state'] as const
export type PolledRoute = (typeof POLLED_ROUTES)[number]

type SentAnswer = {
  etag: string
  /** `users.authEpoch` of the snapshot: a sign-in of another epoch has ended. */
  epoch: number
  /** Real ms after the read for which only a write can change the answer. */
  unchangedMs: number
}

/** A read, compared by identity. */
type PollTicket = {
  readonly route: PolledRoute
  readonly memberId: number
  /** Before the read, monotonic ms. */
  readonly readAt: number
  answer?: SentAnswer
}

/** How long a confirmation by Postgres counts: with the time of an answer, less than the 5 s of decision 17. */
const CONFIRMED_MS = 4_000
/** Longest life of an entry: bounds what no row of the poll log reports. */
const MAX_AGE_MS = 60_000

/**
 * An entry counts while Postgres has confirmed it within `CONFIRMED_MS`: by its own read, or by a later read of
 * the poll log that did not name its member (decision 17). The bound does not depend on change messages.
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

  /** `capacity`: entries of each route, of which the oldest read leaves first. `now`: monotonic ms. */
  constructor(
    private readonly capacity: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Call it before the read: a change that arrives during the read removes the ticket. */
  begin(route: PolledRoute, memberId: number): PollTicket {
    const entries = this.entries[route]
    const ticket: PollTicket = { route, memberId, readAt: this.now() }
    // Deleted first, so that the order of the map is the order of reads.
    entries.delete(memberId)
    entries.set(memberId, ticket)
    if (entries.size > this.capacity) entries.delete(entries.keys().next().value as number)
    return ticket
  }

  keep(ticket: PollTicket, answer: SentAnswer): void {
    if (this.entries[ticket.route].get(ticket.memberId) === ticket) ticket.answer = answer
  }

  /** Undefined if only Postgres can say. */
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

  /** Drops earlier than the poll log does, and without a promise. */
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

  unfollow(): void {
    this.followedSince = undefined
    this.dropAll()
  }
}
