import type { ActivityPage, MiningStatus, Wallet } from '#rules/snapshots'

/** Path of the Socket.IO endpoint. */
export const SOCKET_PATH = '/socket.io'

/**
 * Events that the gateway pushes: each carries the snapshot of the GET named with it, or asks the
 * client to send that GET. Clients send no events.
 */
export type ServerEvents = {
  /** GET /api/mining/status */
  mining: (status: MiningStatus) => void
  /** GET /api/wallet */
  wallet: (wallet: Wallet) => void
  /** GET /api/wallet/activity, newest page */
  activity: (page: ActivityPage) => void
  /** The team or its rewards changed: fetch GET /api/referral/info again if it is on screen. */
  team: () => void
  /** Pushes may have been missed: fetch again what is on screen. */
  refetch: () => void
  /** The sign-in has ended; the gateway then closes the socket. */
  'signed-out': (reason: SignedOutReason) => void
}

export type SignedOutReason = 'logout' | 'password-reset' | 'account-deleted' | 'expired'

export type ClientEvents = Record<string, never>
