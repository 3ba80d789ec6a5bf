import type { ServerEvents } from '#contract/events'

/** Type EVENT of the Socket.IO protocol, in the default namespace. */
const EVENT = '2'

/**
 * An event as `socket.emit` would encode it, to be written to the connection of each socket of a
 * member. `emit` encodes again for each socket and searches every value for binary data first.
 */
export function encodeEvent<Name extends keyof ServerEvents>(
  name: Name,
  ...args: Parameters<ServerEvents[Name]>
): string {
  return EVENT + JSON.stringify([name, ...args])
}
