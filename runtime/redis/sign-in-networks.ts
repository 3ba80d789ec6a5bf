import type { RedisClient } from './redis-client.ts'

/** The hash of a member's sign-ins: by name, device and network of the last request as JSON. */
export const signInsKey = (prefix: string, memberId: number) => `${prefix}:sign-ins:${memberId}`

/** Returns the networks in the order of the ids. */
export type ReadNetworks = (memberIds: number[]) => Promise<string[][]>

/** Networks of the last 30 days, as half of an address (`203.0.x.x`). Ended sign-ins count until the list is read. */
export function networksIn(redis: RedisClient, prefix: string): ReadNetworks {
  return async (memberIds) => {
    // One key a command: the keys of a cluster lie in different slots.
    const read = (memberId: number) => redis.hvals(signInsKey(prefix, memberId))
    const lists = await Promise.all(memberIds.map(read))
    return lists.map((list) => [
      ...new Set(list.map((text) => String(JSON.parse(text).network ?? ''))),
    ])
  }
}
