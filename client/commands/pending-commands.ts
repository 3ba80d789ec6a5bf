import { isRecord, storage } from '#client/data/storage.ts'
import { MINUTE_MS } from '#rules/constants'
import { newIdempotencyKey } from './retry.ts'

/** How long a command may be resumed after it was issued; older ones are dropped. */
export const COMMAND_EXPIRY_MS = 2 * MINUTE_MS

/**
 * A command whose answer has not arrived. `key` is its idempotency key, `issuedAt` its time
 * (real ms) and `basedOnAsOf` the time of the snapshot on which the member decided.
 */
export type PendingCommand = { name: string; key: string; issuedAt: number; basedOnAsOf: number }

/** The stored form, shared with installed clients of other versions. */
type StoredCommand = { action: string; key: string; pressedAt: number; seen: number }

function toStored({ name, key, issuedAt, basedOnAsOf }: PendingCommand): StoredCommand {
  return { action: name, key, pressedAt: issuedAt, seen: basedOnAsOf }
}

function fromStored(value: unknown): PendingCommand[] {
  if (!isRecord(value) || !('key' in value) || !('pressedAt' in value)) return []
  const { action, key, pressedAt, seen } = value as StoredCommand
  return [{ name: action, key, issuedAt: pressedAt, basedOnAsOf: seen }]
}

function read(memberId: number): PendingCommand[] {
  const stored = storage.readFor(memberId, 'presses')
  return Array.isArray(stored) ? stored.flatMap(fromStored) : []
}

function write(memberId: number, commands: PendingCommand[]): void {
  const stored = commands.map(toStored)
  storage.writeFor(memberId, 'presses', stored.length > 0 ? stored : undefined)
}

/** The member's commands without an answer that have not expired, newest first. */
export function pendingCommands(memberId: number): PendingCommand[] {
  const age = ({ issuedAt }: PendingCommand) => Date.now() - issuedAt
  const valid = read(memberId).filter((one) => age(one) >= 0 && age(one) < COMMAND_EXPIRY_MS)
  return valid.sort((one, other) => other.issuedAt - one.issuedAt)
}

/**
 * Stores a command before it is sent. The same command based on the same snapshot is a repetition
 * and keeps its idempotency key; after a newer snapshot it is a new command.
 */
export function rememberCommand(memberId: number, name: string, basedOnAsOf = 0): PendingCommand {
  const pending = pendingCommands(memberId)
  const others = pending.filter((one) => one.name !== name)
  const repeated = pending.find((one) => one.name === name && one.basedOnAsOf === basedOnAsOf)
  const command = repeated ?? { name, key: newIdempotencyKey(), issuedAt: Date.now(), basedOnAsOf }
  write(memberId, [command, ...others])
  return command
}

/** Removes a command after its answer arrived. */
export function forgetCommand(memberId: number, { key }: PendingCommand): void {
  write(
    memberId,
    pendingCommands(memberId).filter((one) => one.key !== key),
  )
}
