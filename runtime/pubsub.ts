import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { Cause } from './monitoring/tracing.ts'
import type { RedisClient } from './redis/redis-client.ts'

export type Topic = 'mining' | 'wallet' | 'team' | 'account' | 'inbox'

/** Sent to every gateway after the commit. Ids only: gateways read again (architecture.md: A push is a hint). */
export type Change =
  | { kind: 'members'; memberIds: number[]; topics: Topic[] }
  | { kind: 'tasks' }
  | { kind: 'announcements' }
  | SignedOutChange

export const changeOf = (memberId: number, ...topics: Topic[]): Change => ({
  kind: 'members',
  memberIds: [memberId],
  topics,
})

/** One ended sign-in, or all of a member except the one that ended the others. */
export type SignedOutChange = { kind: 'signed-out' } & (
  | { reason: 'logout' | 'ended'; signInName: string }
  | { reason: MemberSignOut; memberId: number }
  | { reason: 'password-reset' | 'ended'; memberId: number; exceptSignInName: string }
)

type MemberSignOut = 'password-reset' | 'account-deleted' | 'account-frozen' | 'expired'

/** `sentAt` is in real ms of the publisher's clock. */
export type ChangeOrigin = Cause & { sentAt: number }

/** A change as Redis carries it. A process of the version before sends no origin. */
type Message = Change & Partial<ChangeOrigin>

/** Most ids in one message: bounds its size in a burst of 100,000 credits. */
const IDS_PER_MESSAGE = 5_000

/** Plain pub/sub: a cluster forwards each message to all nodes, so publisher and subscriber use any node. */
export class ChangeChannel {
  private readonly name: string
  private cause: Cause = {}

  /** A subscribed connection cannot publish. `beforePublish` acts on own changes without waiting for Redis. */
  constructor(
    private readonly redis: RedisClient,
    prefix: string,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly beforePublish: (change: Change) => void = () => {},
  ) {
    this.name = `${prefix}:changes`
  }

  causedBy(cause: Cause): ChangeChannel {
    const channel: ChangeChannel = Object.create(this)
    channel.cause = cause
    return channel
  }

  /** Never rejects, as `publish`. */
  async publishMembers(memberIds: number[], topics: Topic[]): Promise<void> {
    for (let from = 0; from < memberIds.length; from += IDS_PER_MESSAGE) {
      const ids = memberIds.slice(from, from + IDS_PER_MESSAGE)
      await this.publish({ kind: 'members', memberIds: ids, topics })
    }
  }

  /** Never rejects. A poll makes up for a lost push, the gateways' periodic check of sockets for a lost sign-out. */
  async publish(change: Change): Promise<void> {
    this.beforePublish(change)
    const message: Message = { ...change, ...this.cause, sentAt: Date.now() }
    try {
      await this.redis.publish(this.name, JSON.stringify(message))
    } catch (err) {
      const { kind } = change
      this.log.warn({ err, kind }, 'change not published; the next poll or check makes up for it')
    }
  }

  /** Rejects if Redis refuses the subscription. */
  async subscribe(onChange: (change: Change, origin: ChangeOrigin) => void): Promise<void> {
    const messages: EventEmitter = this.redis
    messages.on('message', (channel: string, text: string) => {
      if (channel !== this.name) return
      const { sentAt = Date.now(), requestId, traceparent, ...change } = JSON.parse(text) as Message
      onChange(change as Change, { requestId, traceparent, sentAt })
    })
    await this.redis.subscribe(this.name)
  }
}
