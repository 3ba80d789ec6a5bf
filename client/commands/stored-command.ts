import { isRecord, storage } from '#client/data/storage.ts'
import { type StoredCommand, TRANSITIONS } from './command-state.ts'

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
    onOtherTab: (listener: () => void) => storage.onOtherTab('command', listener),
  }
}

export type CommandStorage = ReturnType<typeof commandStorage>
