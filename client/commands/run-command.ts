import { ApiError, errorOf, isSignedOut } from '#client/data/api.ts'
import { type CommandEvent, isCancelling } from './command-state.ts'
import type { CommandDefinition } from './definition.ts'
import { eventOf } from './retry.ts'
import { type DropReason, isExpired, type StoredCommand } from './stored-command.ts'

/** What one request of a command led to. */
export type Attempt = {
  event: CommandEvent
  more?: Partial<StoredCommand>
  answer?: unknown
  /** The rejection, or why there was no answer. */
  error?: unknown
}

type Request = {
  command: StoredCommand
  definition: CommandDefinition
  /** Whether the server may show something else than the member saw when issuing the command. */
  mayBeOutdated: boolean
  /** Spends the key of a command (POST /api/commands/cancel). */
  cancel(key: string): Promise<{ cancelled: boolean; answer: unknown }>
}

/** Sends a command, or cancels it, once. */
export async function attemptCommand(request: Request): Promise<Attempt> {
  const { command, definition, cancel } = request
  const { key, state } = command
  try {
    if (isCancelling(state)) {
      const { cancelled, answer } = await cancel(key)
      return cancelled ? { event: 'cancelled' } : { event: 'answered', answer }
    }
    const reason = await reasonToDrop(request)
    if (reason) return { event: 'outdated', more: { reason, late: true } }
    return { event: 'answered', answer: await definition.send(command.input, key) }
  } catch (error) {
    const event = eventOf(error, { afterLost: state !== 'pending' })
    if (event !== 'rejected') return { event, error }
    // A gateway of an older version has no such route: there is no way to be more certain.
    if (isCancelling(state)) return { event: 'cancelled' }
    return { event, error, more: { rejection: rejectionOf(error) } }
  }
}

/** Why a command must not be sent any more; null if it may be. */
async function reasonToDrop({
  command,
  definition,
  mayBeOutdated,
}: Request): Promise<DropReason | null> {
  if (isExpired(command, Date.now())) return 'expired'
  if (definition.hasInput && !definition.hasInput(command.input)) return 'input lost'
  if (!definition.readBasis || !mayBeOutdated) return null
  const basis = await definition.readBasis().catch((error: unknown) => {
    // A failed read says nothing about the command.
    throw isSignedOut(error) ? error : new TypeError('The basis could not be read')
  })
  return basis === command.basis ? null : 'changed'
}

function rejectionOf(error: unknown): StoredCommand['rejection'] {
  if (!(error instanceof ApiError)) return null
  return { status: error.status, text: error.message.slice(`${error.status}: `.length) }
}

/** The error of a stored rejection, for a page that was loaded after it. */
export function errorOfRejection(rejection: StoredCommand['rejection']): ApiError {
  const { status = 0, text = '' } = rejection ?? {}
  return errorOf({ status, statusText: '' }, text)
}
