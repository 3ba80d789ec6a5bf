import { MINUTE_MS } from '#rules/constants'
import { newIdempotencyKey } from './retry.ts'

/** How long after the press an action is still what the member expects; older ones are forgotten. */
export const COMMAND_EXPIRY_MS = 2 * MINUTE_MS

/**
 * A press that may not have been answered: the name of its action, the key that it is sent under,
 * and the time of the snapshot (`seen`) on which the member decided.
 */
export type PendingCommand = { action: string; key: string; pressedAt: number; seen: number }

const keyOf = (memberId: number) => `presses:${memberId}`

const isPress = (value: unknown): value is PendingCommand =>
  typeof value === 'object' && value !== null && 'key' in value && 'pressedAt' in value

/** What this tab remembers, across a reload but not beyond it. */
function read(memberId: number): PendingCommand[] {
  try {
    const known: unknown = JSON.parse(sessionStorage.getItem(keyOf(memberId)) ?? '[]')
    return Array.isArray(known) ? known.filter(isPress) : []
  } catch {
    return []
  }
}

function write(memberId: number, presses: PendingCommand[]): void {
  try {
    if (presses.length === 0) sessionStorage.removeItem(keyOf(memberId))
    else sessionStorage.setItem(keyOf(memberId), JSON.stringify(presses))
  } catch {
    // Where the browser forbids storage a press is remembered by the page alone.
  }
}

/** The presses that nobody has answered yet, newest first. */
export function pendingCommands(memberId: number): PendingCommand[] {
  const age = ({ pressedAt }: PendingCommand) => Date.now() - pressedAt
  const expected = read(memberId).filter((one) => age(one) >= 0 && age(one) < COMMAND_EXPIRY_MS)
  return expected.sort((one, other) => other.pressedAt - one.pressedAt)
}

/**
 * Remembers a press before it is sent. The same press again, on the strength of the same snapshot,
 * is a repetition and keeps its key; once something newer is known it is another action.
 */
export function rememberCommand(memberId: number, action: string, seen = 0): PendingCommand {
  const others = pendingCommands(memberId).filter((one) => one.action !== action)
  const before = pendingCommands(memberId).find((one) => one.action === action && one.seen === seen)
  const now = before ?? { action, key: newIdempotencyKey(), pressedAt: Date.now(), seen }
  write(memberId, [now, ...others])
  return now
}

/** Forgets every press of a member. */
export function forgetCommands(memberId: number): void {
  write(memberId, [])
}

/** Forgets a press: it was answered. */
export function forgetCommand(memberId: number, { key }: PendingCommand): void {
  write(
    memberId,
    pendingCommands(memberId).filter((one) => one.key !== key),
  )
}
