import type { Language } from './members/languages.ts'
import type { Money } from './money/money.ts'
import type { AsOf } from './snapshots.ts'

/** Newest rows that a member keeps, and their longest age (rules.md: Inbox). */
export const INBOX_ROWS = 100
export const INBOX_DAYS = 90

/** What each kind of row states, in exact amounts; the client words it. Only operators' reasons are stored text. */
export type InboxFacts = {
  /** A session ran for its 24 hours; `usdt` became pending. */
  'session-ended': { tesp: Money; usdt: Money }
  /** `username` is `Deleted member` after that member has left. */
  'member-joined': { username: string }
  /** The inviter, by this name, reminds the member to mine. */
  'team-reminder': { username: string }
  /** The team is large enough; the member can have the reward paid. */
  'milestone-ready': { members: number }
  'milestone-paid': { members: number; tesp: Money; usdt: Money }
  /** `reason` is empty if the document was accepted. */
  'identity-decided': { accepted: boolean; reason: string }
  /** In plain words from the user agent, such as `Firefox on Windows`. */
  'new-browser': { device: string }
  /** The mail server of the member's address refused it for good. */
  'mail-refused': Record<string, never>
  corrected: { token: 'TESP' | 'USDT'; amount: Money; reason: string }
  frozen: { reason: string }
  released: { reason: string }
}

export type InboxKind = keyof InboxFacts

/** A row of the inbox. `at` is the real time at which the fact was recorded. */
export type InboxRow = {
  [Kind in InboxKind]: {
    id: number
    kind: Kind
    at: string
    read: boolean
    facts: InboxFacts[Kind]
  }
}[InboxKind]

/** `maintenance` and `urgent` are banners on every screen; `news` is in the inbox only. */
export const ANNOUNCEMENT_KINDS = ['news', 'maintenance', 'urgent'] as const

export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number]

/** Longest text of an announcement, in characters. */
export const ANNOUNCEMENT_CHARACTERS = 500

/** What operators tell all members. Times are real. */
export type Announcement = {
  id: number
  kind: AnnouncementKind
  texts: Record<Language, string>
  /** Start of the maintenance; of another kind the time since which it counts. */
  from: string
  /** End of the maintenance; of another kind the time until which it counts. */
  until: string
  /** When it was published. */
  at: string
}

/** A page of the inbox, newest row first. */
export type InboxPage = {
  rows: InboxRow[]
  /** `before` of the next page; null on the last one. */
  next: number | null
  /** Of the last 90 days, newest first, and only on the first page. */
  announcements: Announcement[]
}

/** What the bell and the banner show. */
export type InboxState = {
  /** Unread rows. */
  unread: number
  /** Id of the newest unread row; 0 without one. */
  newest: number
  /** Id of the last announcement that the member has read; 0 without one. */
  readAnnouncement: number
  /** Announcements that have not ended, oldest first. */
  announcements: Announcement[]
  asOf: AsOf
}

/** A push to everybody: the announcements that have not ended. */
export type Announced = Pick<InboxState, 'announcements' | 'asOf'>

/** How far a member has read: ids of the newest row and the newest announcement, 0 for none. */
export type ReadMark = { row: number; announcement: number }

/** Whether something is unread at `now`, real ms. */
export function hasUnread(state: Omit<InboxState, 'asOf'>, now: number, mark: ReadMark): boolean {
  const lastRead = Math.max(state.readAnnouncement, mark.announcement)
  const isNew = ({ id, until }: Announcement) => id > lastRead && Date.parse(until) > now
  return state.newest > mark.row || state.announcements.some(isNew)
}
