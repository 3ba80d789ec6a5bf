import type { Language } from './languages.ts'
import type { PushKind } from './reminders.ts'

/** What REST answers about a member's account, in the units of `#rules/snapshots`. */

/** The member's own view of their account. */
export type User = {
  id: number
  username: string
  email: string
  fullName: string | null
  phone: string | null
  avatar: string | null
  referralCode: string | null
  kycStatus: 'unverified' | 'pending' | 'verified'
  kycDocumentType: string | null
  kycDocumentUrl: string | null
  /** The language of mails; null if the member has not chosen one. */
  language: Language | null
}

/** One sign-in of the member, as the list of sign-ins shows it. */
export type MemberSignIn = {
  id: string
  /** In plain words from the user agent, such as `Firefox on Windows`. */
  device: string
  /** The coarse network of the last request, such as `203.0.x.x`. */
  network: string
  signedInAt: string
  /** The last request, within five minutes. */
  lastSeenAt: string
  /** The sign-in that sent this request. */
  current: boolean
}

/** A passkey of the member, without its key. */
export type Passkey = {
  id: number
  /** The member's own name for it. */
  name: string
  addedAt: string
  /** The last sign-in with it; null before the first. */
  lastUsedAt: string | null
  /** Whether its provider keeps copies of it, so that it outlives the device. */
  backedUp: boolean
}

/** What a member can sign in with besides the password. */
export type SignInFactors = {
  /** Oldest first. */
  passkeys: Passkey[]
  /** The authenticator app whose codes a sign-in with the password needs; null without one. */
  authenticator: { since: string; recoveryCodesLeft: number } | null
}

/** What a member reads about the check of their identity. */
export type IdentityCheck = {
  /** Days after the decision for which a document is kept; 0 deletes it immediately. */
  retentionDays: number
  /** The last decision if it was a rejection and no document was submitted since; otherwise null. */
  rejection: { reason: string; decidedAt: string } | null
}

/** A device that shows the member's reminders as push messages. */
export type PushDevice = {
  id: number
  /** In plain words from the user agent, such as `Firefox on Windows`. */
  device: string
  addedAt: string
  /** The browser that sent this request. */
  current: boolean
}

/** What a member has switched on to be told outside of the app. */
export type ReminderSettings = {
  /** By mail, when the 24 hours of a session end. */
  mail: boolean
  /** Of what devices show notifications; null if the member has never chosen: the end of sessions. */
  kinds: PushKind[] | null
  /** Reminders by the inviter, whose name is null without one; `blocked`: no more from this person. */
  team: { on: boolean; inviter: string | null; blocked: boolean }
  /** Public VAPID key to subscribe with, in base64url; null if push messages are not set up. */
  pushKey: string | null
  /** Newest first. */
  devices: PushDevice[]
}
