import { isRecord, storage } from '#client/data/storage.ts'
import { HOUR_MS } from '#rules/constants'
import { type CommandState, TRANSITIONS } from './command-state.ts'

/** How long a command may wait for the server after it was issued; then it is cancelled. */
export const COMMAND_EXPIRY_MS = HOUR_MS

/** Why a command is dropped. */
export type DropReason = 'undone' | 'expired' | 'changed' | 'input lost'

/** A command without a final outcome, as all tabs of the browser share it. */
export type StoredCommand = {
  /** Its idempotency key. */
  key: string
  /** Name of its definition. */
  name: string
  /** Only one command with a mutex key is under way. */
  mutexKey: string
  /** JSON; what the request carries. */
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

function isStored(value: unknown): value is StoredCommand {
  return (
    isRecord(value) &&
    [value.key, value.name, value.mutexKey].every((text) => typeof text === 'string') &&
    typeof value.issuedAt === 'number' &&
    typeof value.state === 'string' &&
    value.state in TRANSITIONS
  )
}

/** The commands of one member, one stored item each, so that tabs do not overwrite each other. */
export function commandStorage(memberId: number) {
  return {
    /** Oldest first. */
    all(): StoredCommand[] {
      const values = storage.listFor(memberId, 'command')
      return values.filter(isStored).sort((a, b) => a.issuedAt - b.issuedAt)
    },
    get(key: string): StoredCommand | undefined {
      const value = storage.readFor(memberId, 'command', key)
      return isStored(value) ? value : undefined
    },
    put(command: StoredCommand): void {
      storage.writeFor(memberId, 'command', command, command.key)
    },
    remove(key: string): void {
      storage.writeFor(memberId, 'command', undefined, key)
    },
    /** Calls back when another tab may have changed a command, until the returned function. */
    onOtherTab: (listener: () => void) => storage.onOtherTab('command', listener),
  }
}

export type CommandStorage = ReturnType<typeof commandStorage>

/** Whether a command is too old to be sent; a clock that was set back far counts too. */
export function isExpired({ issuedAt }: StoredCommand, now: number): boolean {
  return Math.abs(now - issuedAt) > COMMAND_EXPIRY_MS
}
