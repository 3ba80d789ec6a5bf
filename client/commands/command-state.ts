import { HOUR_MS } from '#rules/constants'

/**
 * The server has confirmed no outcome in the first five states; the last three are final.
 *
 * | state | meaning |
 * | --- | --- |
 * | pending | the first request was sent |
 * | retrying | a request got no answer and is repeated within the retry budget |
 * | waiting | sent again when the server can be reached; the member may undo it |
 * | undoing | its key is being spent, so that it does not take effect any more |
 * | refusing | as `undoing`, after a rejection that an earlier request may contradict |
 */
export type CommandState =
  | 'pending'
  | 'retrying'
  | 'waiting'
  | 'undoing'
  | 'refusing'
  | 'done'
  | 'refused'
  | 'dropped'

export type CommandEvent =
  /** A request got no answer, or only a proxy's. */
  | 'lost'
  /** A request got no answer and the retry budget is used up, or the browser is offline. */
  | 'given up'
  /** The server executed it, now or on an earlier request: it was too late to cancel it. */
  | 'answered'
  | 'rejected'
  | 'undone'
  /** It is too old, no longer fits what the server shows, or lost its input with the page. */
  | 'outdated'
  /** The server has spent its key before a request used it. */
  | 'cancelled'
  | 'signed out'

/** In every state without an outcome. */
const OPEN = { answered: 'done', 'signed out': 'dropped' } as const
/** Until the server was asked to spend its key. */
const SENT = { ...OPEN, undone: 'undoing', outdated: 'undoing' } as const

/** An event that is absent changes nothing. */
export const TRANSITIONS: Record<CommandState, Partial<Record<CommandEvent, CommandState>>> = {
  pending: { ...SENT, lost: 'retrying', 'given up': 'waiting', rejected: 'refused' },
  retrying: { ...SENT, 'given up': 'waiting', rejected: 'refusing' },
  waiting: { ...SENT, rejected: 'refusing' },
  undoing: { ...OPEN, cancelled: 'dropped' },
  refusing: { ...OPEN, cancelled: 'refused' },
  done: {},
  refused: {},
  dropped: {},
}

export function nextState(state: CommandState, event: CommandEvent): CommandState {
  return TRANSITIONS[state][event] ?? state
}

type FinalState = Extract<CommandState, 'done' | 'refused' | 'dropped'>

export function isFinal(state: CommandState): state is FinalState {
  return Object.keys(TRANSITIONS[state]).length === 0
}

export function isCancelling(state: CommandState): boolean {
  return state === 'undoing' || state === 'refusing'
}

/** How long a command may wait for the server after it was issued; then it is cancelled. */
const COMMAND_EXPIRY_MS = HOUR_MS

export type DropReason = 'undone' | 'expired' | 'changed' | 'input lost'

/** A command without a final outcome, as all tabs of the browser share it. */
export type StoredCommand = {
  key: string
  name: string
  /** One command with a mutex key is under way at a time. */
  mutexKey: string
  input: unknown
  /** What the member saw, if the command is only valid for that; see `CommandDefinition.basis`. */
  basis: string | null
  /** Real ms. */
  issuedAt: number
  state: CommandState
  /** Its outcome is reported even if it needs no message right after the click. */
  late: boolean
  reason: DropReason | null
  /** The rejection that is reported once the key is spent. */
  rejection: { status: number; text: string } | null
}

/** Whether a command is too old to be sent; a clock that was set back far counts too. */
export function isExpired({ issuedAt }: StoredCommand, now: number): boolean {
  return Math.abs(now - issuedAt) > COMMAND_EXPIRY_MS
}
