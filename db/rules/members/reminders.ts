import { HOUR_MS } from '#rules/constants'

/** Product time after a session's end after which no reminder is sent. */
export const REMINDER_LIFE_MS = 12 * HOUR_MS
/** Devices of a member that get a push message; one more replaces the oldest. */
export const PUSH_DEVICES_MAX = 10
/** Path of the page that switches the reminders by mail off, without a sign-in. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** What devices can show notifications of, in the order of the screen; each is off until switched on. */
export const PUSH_KINDS = [
  'session',
  'team',
  'milestone',
  'identity',
  'sign-in',
  'account',
  'announcement',
] as const

export type PushKind = (typeof PUSH_KINDS)[number]

/** What a device shows whose member has never chosen: what devices did before there was a choice. */
export const FIRST_PUSH_KINDS: PushKind[] = ['session']

/** What the service worker shows; the payload of a push message as JSON. */
export type PushPayload = {
  title: string
  body: string
  /** Notifications with the same tag replace each other. */
  tag: string
  /** Path that a press on the notification opens. */
  path: string
  lang: string
}

/** The service worker's message to a page: the path of a notification that was pressed. */
export type PageMessage = { open: string }
