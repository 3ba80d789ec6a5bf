import type { Redis } from 'ioredis'

/** Which screens of a member a change may touch. */
export type Topic = 'mining' | 'wallet' | 'team'

/**
 * What is told to every gateway after a commit. It carries ids alone: a gateway that has a socket
 * of such a member reads the snapshot anew (architecture.md: A push is a hint).
 */
export type Change =
  | { kind: 'members'; memberIds: number[]; topics: Topic[] }
  | { kind: 'signed-out'; reason: 'logout'; authSessionId: string }
  | { kind: 'signed-out'; reason: 'password-reset' | 'account-deleted'; memberId: number }

/** Ids in one message at most: a burst of 100,000 credits stays small on the wire. */
const IDS_PER_MESSAGE = 5_000

/** Redis channel of the changes under a prefix. */
export function changeChannel(prefix: string): string {
  return `${prefix}:changes`
}

/** Tells every gateway that these members' screens changed. Call it after the commit. */
export async function publishMembers(
  redis: Redis,
  prefix: string,
  memberIds: number[],
  topics: Topic[],
): Promise<void> {
  for (let from = 0; from < memberIds.length; from += IDS_PER_MESSAGE) {
    const ids = memberIds.slice(from, from + IDS_PER_MESSAGE)
    await publish(redis, prefix, { kind: 'members', memberIds: ids, topics })
  }
}

/** Tells every gateway about one change. */
export async function publish(redis: Redis, prefix: string, change: Change): Promise<void> {
  await redis.publish(changeChannel(prefix), JSON.stringify(change))
}

/** Calls `onChange` for each change that anybody tells; the connection serves nothing else. */
export async function subscribe(
  redis: Redis,
  prefix: string,
  onChange: (change: Change) => void,
): Promise<void> {
  redis.on('message', (channel, text) => {
    if (channel === changeChannel(prefix)) onChange(JSON.parse(text) as Change)
  })
  await redis.subscribe(changeChannel(prefix))
}
