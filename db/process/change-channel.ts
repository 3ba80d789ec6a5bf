import type { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** Which screens of a member a change may affect. */
export type Topic = 'mining' | 'wallet' | 'team'

/**
 * A message to every gateway, published after the commit. It carries ids only: a gateway with a
 * socket of such a member reads the snapshot again (architecture.md: A push is a hint).
 */
export type Change = { kind: 'members'; memberIds: number[]; topics: Topic[] } | SignedOutChange

/** Sign-ins that have ended: one, or all of a member except the one that ended the others. */
export type SignedOutChange = { kind: 'signed-out' } & (
  | { reason: 'logout' | 'ended'; authSessionId: string }
  | { reason: 'password-reset' | 'account-deleted'; memberId: number }
  | { reason: 'password-reset' | 'ended'; memberId: number; exceptAuthSessionId: string }
)

/** Most ids in one message: bounds its size in a burst of 100,000 credits. */
const IDS_PER_MESSAGE = 5_000

/** The Redis pub/sub channel through which processes inform all gateways of committed changes. */
export class ChangeChannel {
  private readonly name: string

  /**
   * A connection that subscribes can do nothing else: publish on another one.
   * @param beforePublish acts on this process's own changes without waiting for Redis
   */
  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly beforePublish: (change: Change) => void = () => {},
  ) {
    this.name = `${prefix}:changes`
  }

  /** Publishes that screens of these members changed. Never rejects, as `publish`. */
  async publishMembers(memberIds: number[], topics: Topic[]): Promise<void> {
    for (let from = 0; from < memberIds.length; from += IDS_PER_MESSAGE) {
      const ids = memberIds.slice(from, from + IDS_PER_MESSAGE)
      await this.publish({ kind: 'members', memberIds: ids, topics })
    }
  }

  /**
   * Publishes one change. Never rejects: the change is committed, so a failure is logged. A lost
   * push is made up for by the next poll or refetch, a lost sign-out by the gateways' periodic
   * check of their sockets.
   */
  async publish(change: Change): Promise<void> {
    this.beforePublish(change)
    try {
      await this.redis.publish(this.name, JSON.stringify(change))
    } catch (err) {
      const { kind } = change
      this.log.warn({ err, kind }, 'change not published; the next poll or check makes up for it')
    }
  }

  /** Calls `onChange` for each published change. Rejects when Redis refuses the subscription. */
  async subscribe(onChange: (change: Change) => void): Promise<void> {
    this.redis.on('message', (channel, text) => {
      if (channel === this.name) onChange(JSON.parse(text) as Change)
    })
    await this.redis.subscribe(this.name)
  }
}
