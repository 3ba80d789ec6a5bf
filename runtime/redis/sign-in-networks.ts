import type { RedisClient } from './redis-client.ts'

/** The hash of a member's sign-ins: by name, device and network of the last request as JSON. */
export const signInsKey = (prefix: string, memberId: number) => `${prefix}:sign-ins:${memberId}`

/** Reads from which networks members have signed in, in the order of the ids. */
export type ReadNetworks = (memberIds: number[]) => Promise<string[][]>

/**
 * The networks of the last 30 days as members see them in their list: half of an address
 * (`203.0.x.x`). An entry of an ended sign-in counts until the member's list is read.
 */
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
