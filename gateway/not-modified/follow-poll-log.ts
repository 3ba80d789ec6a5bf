import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#db/engine/connect'
import { ALL_MEMBERS, ANNOUNCEMENTS, readMemberChanges } from '#db/ledger/poll-log'
import type { Services } from '#gateway/services/services'

type LogPosition = {
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
 * What a read says about the time since the last one: `nothing` at the first read and from another server,
 * whose transaction ids may repeat those that a failover lost; `all` if a clock jumped; else what it `names`.
 * `tookMs`: duration of the read, within which the moment of its clock is not known.
 */
export function changesSince(
  last: LogPosition | undefined,
  read: LogPosition,
  tookMs: number,
): 'nothing' | 'all' | 'names' {
  if (last?.server !== read.server) return 'nothing'
  return Math.abs(read.aheadMs - last.aheadMs) > JUMP_MS + tookMs ? 'all' : 'names'
}

const PAUSE_MS = 1_000
/** An unanswered read must not delay the next for long. */
const TIMEOUT_MS = 2_000

/**
 * After a failed read, and when another server answers, it starts again with an empty cache.
 * @param onAnnouncements the announcements have changed, or may have
 */
export function followPollLog(
  { config, polls, log }: Pick<Services, 'config' | 'polls' | 'log'>,
  onAnnouncements: () => void,
): { close(): Promise<void> } {
  if (config.pollCacheMembers === 0) return { close: async () => {} }
  // A dedicated connection, which a busy pool cannot delay.
  const db = connect(config.databaseUrl, {
    max: 1,
    name: 'tesp-gateway-changes',
    preparedStatements: config.databasePrepared,
    statementTimeoutMs: TIMEOUT_MS,
  })
  const stop = new AbortController()
  let last: LogPosition | undefined

  async function read(): Promise<void> {
    const startedAt = performance.now()
    const before = last
    const { memberIds, databaseNow, ...found } = await readMemberChanges(
      db,
      before?.position ?? null,
    )
    const endedAt = performance.now()
    last = { ...found, aheadMs: databaseNow - endedAt }
    const changes = changesSince(before, last, endedAt - startedAt)
    // At the first read and after a failover the log does not say.
    if (changes !== 'names' || memberIds.some((id) => id <= ALL_MEMBERS)) onAnnouncements()
    if (changes === 'nothing') {
      if (before) polls.unfollow()
      return polls.follow(endedAt)
    }
    if (changes === 'all' || memberIds.includes(ALL_MEMBERS)) polls.dropAll()
    else polls.drop(memberIds)
    if (memberIds.includes(ANNOUNCEMENTS)) polls.dropAnnouncements()
    polls.confirm(startedAt)
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await read()
      } catch (err) {
        if (last) log.warn({ err }, 'poll log not read; polls are answered from Postgres')
        last = undefined
        polls.unfollow()
      }
      await sleep(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    async close() {
      stop.abort()
      await running
      await db.destroy()
    },
  }
}
