import type { Announced, InboxState } from '#rules/inbox'
import type { MiningStatus, Wallet } from '#rules/snapshots'

/** Path of the Socket.IO endpoint. */
export const SOCKET_PATH = '/socket.io'

/** What changed for a member: snapshots of one read, with the same `asOf`. */
export type MemberUpdate = {
  /** As GET /api/mining/status answers. */
  mining?: MiningStatus
  /** As GET /api/wallet answers. The activity changed too: fetch its newest page if it is on screen. */
  wallet?: Wallet
  /** The team or its rewards changed: fetch GET /api/referral/info again if it is on screen. */
  team?: true
  /** The account changed, for example by a decision about its identity: fetch GET /api/user again. */
  account?: true
  /** As GET /api/inbox/state answers. */
  inbox?: InboxState
}

/** Events that the gateway pushes. Clients send no events. */
export type ServerEvents = {
  /** Everything that changed, in one packet. */
  changed: (update: MemberUpdate) => void
  /** The announcements to all members have changed. */
  announced: (announced: Announced) => void
  /** Pushes may have been missed: fetch again what is on screen. */
  refetch: () => void
  /** The list of tasks changed: fetch GET /api/tasks again if it is on screen. */
  tasks: () => void
  /**
   * The member opened more than 20 sockets at a gateway, and this one was the oldest; the gateway
   * then closes it. A client that reconnected now would only replace the next one: it polls.
   */
  replaced: () => void
  /** The sign-in has ended; the gateway then closes the socket. */
  'signed-out': (reason: SignedOutReason) => void
}

/** `ended`: by the member, from another device. */
export type SignedOutReason =
  | 'logout'
  | 'password-reset'
  | 'account-deleted'
  | 'account-frozen'
  | 'expired'
  | 'ended'

export type ClientEvents = Record<string, never>
