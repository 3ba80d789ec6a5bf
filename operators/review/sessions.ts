import { hash, randomBytes } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'

const IDLE_MS = 15 * MINUTE_MS
const LONGEST_MS = 8 * HOUR_MS

type Session = { reviewerId: number; endsAt: number; idleAt: number }

/**
 * Sign-ins of reviewers, in the memory of the process: a restart ends them. They end after 15 minutes
 * without a request and after 8 hours. `now` is real time, ms.
 */
export class ReviewSessions {
  private readonly sessions = new Map<string, Session>()

  /** Begins a sign-in; returns the value of its cookie, 256 random bits. */
  begin(reviewerId: number, now: number): string {
    for (const [key, session] of this.sessions) if (isOver(session, now)) this.sessions.delete(key)
    const id = randomBytes(32).toString('base64url')
    const session = { reviewerId, endsAt: now + LONGEST_MS, idleAt: now + IDLE_MS }
    this.sessions.set(hash('sha256', id), session)
    return id
  }

  /** The reviewer of a cookie; postpones the idle end. */
  find(id: string, now: number): number | undefined {
    const session = this.sessions.get(hash('sha256', id))
    if (!session || isOver(session, now)) return undefined
    session.idleAt = now + IDLE_MS
    return session.reviewerId
  }

  end(id: string): void {
    this.sessions.delete(hash('sha256', id))
  }
}

const isOver = ({ endsAt, idleAt }: Session, now: number) => now >= Math.min(endsAt, idleAt)
