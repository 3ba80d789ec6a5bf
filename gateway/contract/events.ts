import type { ActivityPage, MiningStatus, Wallet } from '#rules/snapshots'

/** Path of the Socket.IO endpoint. */
export const SOCKET_PATH = '/socket.io'

/**
 * What the gateway pushes: each event carries the same snapshot as the GET beside it, or asks for
 * that GET. A client sends nothing.
 */
export type ServerEvents = {
  /** GET /api/mining/status */
  mining: (status: MiningStatus) => void
  /** GET /api/wallet */
  wallet: (wallet: Wallet) => void
  /** GET /api/wallet/activity, newest page */
  activity: (page: ActivityPage) => void
  /** The team or its rewards changed: fetch GET /api/referral/info again where it is shown. */
  team: () => void
  /** Something may have been missed: fetch again what is on the screen. */
  refetch: () => void
  /** This sign-in has ended; the socket is closed right after. */
  'signed-out': (reason: SignedOutReason) => void
}

export type SignedOutReason = 'logout' | 'password-reset' | 'account-deleted' | 'expired'

export type ClientEvents = Record<string, never>
