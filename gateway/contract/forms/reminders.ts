import { boolean, object } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { LANGUAGES } from '#rules/members/languages'
import { PUSH_KINDS } from '#rules/members/reminders'
import { oneOf, required, rowId } from './fields.ts'

/** The language on the screen, in which reminders are written. */
const language = oneOf(LANGUAGES, API_TEXTS.languageUnknown)

const choice = boolean().required('Choose on or off')

/** Body of POST /api/reminders/mail and POST /api/reminders/team. */
export const mailReminderBody = object({
  on: choice,
  language,
}).noUnknown()

/** Body of POST /api/reminders/kinds. */
export const pushKindBody = object({
  kind: oneOf(PUSH_KINDS, API_TEXTS.pushKindUnknown),
  on: choice,
  language,
}).noUnknown()

/** Body of POST /api/reminders/team/block: no more from the inviter. */
export const blockInviterBody = object({
  blocked: choice,
  language,
}).noUnknown()

const NO_SUBSCRIPTION = API_TEXTS.subscriptionUnreadable

/** Body of POST /api/reminders/push: the subscription of a browser (`PushSubscription.toJSON`). */
export const pushDeviceBody = object({
  endpoint: required(2_000, NO_SUBSCRIPTION).matches(/^https?:\/\/[!-~]+$/, NO_SUBSCRIPTION),
  /** 65 bytes in base64url. */
  p256dh: required(87, NO_SUBSCRIPTION).matches(/^[\w-]{87}$/, NO_SUBSCRIPTION),
  /** 16 bytes in base64url. */
  auth: required(22, NO_SUBSCRIPTION).matches(/^[\w-]{22}$/, NO_SUBSCRIPTION),
  /** That of before if absent: a service worker cannot read the language of the page. */
  language: language.optional(),
}).noUnknown()

/** Body of POST /api/reminders/push/remove: the `id` of the device. */
export const removeDeviceBody = object({
  deviceId: rowId(API_TEXTS.deviceUnknown),
}).noUnknown()
