import { SECOND_MS } from '#rules/constants'

/** The first retry follows after 0.4…1.6 s, so that clients do not all reconnect to a restarted gateway at once. */
export const RECONNECTION = {
  reconnectionDelay: SECOND_MS,
  reconnectionDelayMax: 15 * SECOND_MS,
  randomizationFactor: 0.6,
}
