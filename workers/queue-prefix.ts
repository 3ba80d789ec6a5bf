/**
 * Key prefix of the queues; the braces are a hash tag that keeps them in one Redis Cluster slot.
 */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}:queue`
}
