/** Where a gateway is in the change log. */
export type LogPosition = {
  /** Snapshot of the read, from which the next one continues. */
  position: string
  /** The run of the server that answered: transaction ids are comparable within it only. */
  server: string
  /** How far the database's clock is ahead of ours, ms. */
  aheadMs: number
}

/** Difference of the database's clock and ours between two reads that counts as a jump, ms. */
const JUMP_MS = 1_000

/**
 * What a read of the log says about the time since the last one: `nothing`, because it is the first
 * one or another server answered, whose transaction ids may repeat those that a failover has lost;
 * `all`, because a clock jumped; or the members that it `names`.
 * @param tookMs duration of the read: the moment of its clock within it is not known
 */
export function changesSince(
  last: LogPosition | undefined,
  read: LogPosition,
  tookMs: number,
): 'nothing' | 'all' | 'names' {
  if (last?.server !== read.server) return 'nothing'
  return Math.abs(read.aheadMs - last.aheadMs) > JUMP_MS + tookMs ? 'all' : 'names'
}
