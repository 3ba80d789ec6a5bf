import type { ChangeOrigin, Topic } from '#runtime/change-channel'

/** A member who waits for a push: what changed, and the oldest change that it is for. */
type Changed = { topics: Set<Topic>; origin: ChangeOrigin }

/** Members whose push waits, in the order of their first change. */
export type ChangedMembers = Map<number, Changed>

/** Adds a change of a member; one that waits already keeps its place and its origin. */
export function addChange(
  waiting: ChangedMembers,
  memberId: number,
  topics: Topic[],
  origin: ChangeOrigin,
): void {
  const changed = waiting.get(memberId) ?? { topics: new Set(), origin }
  for (const topic of topics) changed.topics.add(topic)
  waiting.set(memberId, changed)
}

/** Removes the `size` members that wait longest and returns them. */
export function takeBatch(waiting: ChangedMembers, size: number): ChangedMembers {
  const batch: ChangedMembers = new Map()
  for (const [memberId, changed] of waiting) {
    if (batch.size === size) break
    batch.set(memberId, changed)
    waiting.delete(memberId)
  }
  return batch
}

/** The origin of the member that waits longest. */
export function oldestOrigin(batch: ChangedMembers): Partial<ChangeOrigin> {
  let oldest: ChangeOrigin | undefined
  for (const { origin } of batch.values()) {
    if (!oldest || origin.sentAt < oldest.sentAt) oldest = origin
  }
  return oldest ?? {}
}

/** Seconds since the oldest change of a batch was published; clocks of two hosts may differ. */
export function delaySeconds(batch: ChangedMembers, now: number): number {
  const { sentAt = now } = oldestOrigin(batch)
  return Math.max(0, now - sentAt) / 1_000
}

/** The requests and jobs that caused a batch. */
export function requestIdsOf(batch: ChangedMembers): string[] {
  const ids = new Set<string>()
  for (const { origin } of batch.values()) if (origin.requestId) ids.add(origin.requestId)
  return [...ids]
}
