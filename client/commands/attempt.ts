import { ApiError, errorOf, isSignedOut, mayHaveWorked } from '#client/data/api.ts'
import { SECOND_MS } from '#rules/constants'
import {
  type CommandEvent,
  type DropReason,
  isCancelling,
  isExpired,
  type StoredCommand,
} from './command-state.ts'
import type { CommandDefinition } from './command-type.ts'

export type Attempt = {
  event: CommandEvent
  more?: Partial<StoredCommand>
  answer?: unknown
  error?: unknown
}

type Request = {
  command: StoredCommand
  definition: CommandDefinition
  /** The server may show something else than the member saw when issuing the command. */
  mayBeOutdated: boolean
  /** False once its member has signed out, or another tab has undone it. */
  isCurrent(): boolean
  cancel(key: string): Promise<{ cancelled: boolean; answer: unknown }>
}

export async function attemptCommand(request: Request): Promise<Attempt> {
  const { command, definition, isCurrent, cancel } = request
  const { key, state } = command
  try {
    if (isCancelling(state)) {
      const { cancelled, answer } = await cancel(key)
      return cancelled ? { event: 'cancelled' } : { event: 'answered', answer }
    }
    const reason = await reasonToDrop(request)
    if (reason) return { event: 'outdated', more: { reason, late: true } }
    if (!isCurrent()) return { event: 'lost' }
    return { event: 'answered', answer: await definition.send(command.input, key) }
  } catch (error) {
    const event = eventOf(error, { afterLost: state !== 'pending' })
    if (event !== 'rejected') return { event, error }
    if (isCancelling(state)) return { event: 'lost', error }
    return { event, error, more: { rejection: rejectionOf(error) } }
  }
}

async function reasonToDrop({
  command,
  definition,
  mayBeOutdated,
}: Request): Promise<DropReason | null> {
  if (isExpired(command, Date.now())) return 'expired'
  if (definition.hasInput && !definition.hasInput(command.input)) return 'input lost'
  if (!definition.readBasis || !mayBeOutdated) return null
  const basis = await definition.readBasis().catch((error: unknown) => {
    // A failed read does not show whether the command is outdated.
    throw isSignedOut(error) ? error : new TypeError('The basis could not be read')
  })
  return basis === command.basis ? null : 'changed'
}

function rejectionOf(error: unknown): StoredCommand['rejection'] {
  if (!(error instanceof ApiError)) return null
  return { status: error.status, text: error.message.slice(`${error.status}: `.length) }
}

/** For a page that was loaded after the rejection. */
export function errorOfRejection(rejection: StoredCommand['rejection']): ApiError {
  const { status = 0, text = '' } = rejection ?? {}
  return errorOf({ status, statusText: '' }, text)
}

/** Total pause, real ms, during which a command without an answer is retried before it waits. */
const RETRY_BUDGET_MS = 7 * SECOND_MS
/** Longest pause before a retry, even if `Retry-After` asks for more. */
const MAX_RETRY_PAUSE_MS = 4 * SECOND_MS
/** Longest pause of a waiting command; it is also sent when the server answers something else. */
const MAX_WAITING_PAUSE_MS = 10 * SECOND_MS
/** Jitter: largest share added to a pause, so that clients cut off together do not retry together. */
const JITTER = 0.4

/** Browsers have no `randomUUID` on pages loaded over plain HTTP. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The pauses double, first within the retry budget, then while the command waits. */
export function retryPauses() {
  let budgetMs = RETRY_BUDGET_MS
  let pauseMs = SECOND_MS
  return {
    isUsedUp: () => budgetMs < SECOND_MS,
    exhaust() {
      budgetMs = 0
    },
    /** Real ms until the next attempt: at least `Retry-After`, at most the longest pause. */
    next(error: unknown): number {
      const retryAfterMs = (error instanceof ApiError && error.retryAfterMs) || 0
      const isWaiting = budgetMs < SECOND_MS
      const longestMs = isWaiting ? MAX_WAITING_PAUSE_MS : Math.min(budgetMs, MAX_RETRY_PAUSE_MS)
      const jitter = 1 + JITTER * Math.random()
      const ms = Math.min(longestMs, Math.max(pauseMs, retryAfterMs) * jitter)
      budgetMs -= ms
      pauseMs = Math.min(pauseMs * 2, MAX_WAITING_PAUSE_MS)
      return ms
    },
  }
}

const TOO_MANY_REQUESTS = 429

/** After a lost request a rate limit proves nothing: it is checked before the key, the claim pause after it. */
export function eventOf(error: unknown, { afterLost }: { afterLost: boolean }): CommandEvent {
  if (mayHaveWorked(error)) return 'lost'
  if (isSignedOut(error)) return 'signed out'
  const isLimited =
    error instanceof ApiError &&
    error.status === TOO_MANY_REQUESTS &&
    error.answer?.code !== 'claim_cooldown'
  return afterLost && isLimited ? 'lost' : 'rejected'
}
