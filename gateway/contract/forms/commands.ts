import { mixed, number, object, string } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { TASK_CODE_MAX } from '#rules/constants'
import { required, rowId } from './fields.ts'

export const applyCodeBody = object({
  referralCode: string().required(API_TEXTS.referralMissing).max(64, API_TEXTS.referralPrefix),
})

export const completeTaskBody = object({
  taskId: required(100, API_TEXTS.taskUnknown),
  /** The code word of a task that asks for one. */
  code: string().max(TASK_CODE_MAX, API_TEXTS.taskCodeWrong),
})

const readUpTo = (most: number) => number().strict().required().integer().min(0).max(most)

/** Body of POST /api/inbox/read: ids of the newest row and announcement on the screen, 0 for none. */
export const readInboxBody = object({
  row: readUpTo(Number.MAX_SAFE_INTEGER),
  announcement: readUpTo(2 ** 31 - 1),
})

/** Body of POST /api/referral/wake: the direct member who is reminded. */
export const wakeMemberBody = object({
  memberId: rowId(API_TEXTS.notFound).max(2 ** 31 - 1, API_TEXTS.notFound),
})

/** Body of POST /api/referral/week: how the board of all members shows the member; null: it does not. */
export const boardListingBody = object({
  listing: mixed<'name' | 'anonymous'>()
    .nullable()
    .oneOf(['name', 'anonymous', null], API_TEXTS.badRequest)
    .defined(API_TEXTS.badRequest),
})

/** The form of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY = /^[\w.~-]{8,128}$/

const KEY_UNUSABLE = 'Idempotency-Key is not usable'

/** Body of POST /api/commands/cancel: the key of the command. */
export const cancelBody = object({
  key: required(128, KEY_UNUSABLE).matches(IDEMPOTENCY_KEY, KEY_UNUSABLE),
})
