import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { lockMember } from '#db/members/execute-once'
import { isRefused } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { mailOrigin, unsubscribeUrl } from '#db/reminders/mail-reminders'
import {
  type ClaimedReminder,
  type Outcome,
  postponeReminder,
  settleReminder,
} from '#db/reminders/outbox'
import { switchOf } from '#db/reminders/push-notices'
import { openSubscription, removeSubscription } from '#db/reminders/push-subscriptions'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { Context } from '#workers/job'
import { notificationOf, SESSION_PATH } from './notifications.ts'
import { sendPush } from './send-push.ts'

const FIRST_RETRY_MS = MINUTE_MS
const LONGEST_RETRY_MS = HOUR_MS
/**
 * Later tries of one process at the same time. A push service that does not answer holds each for ten seconds; first
 * tries and mails have the other slots.
 */
const RETRIES_AT_ONCE = 8
let retries = 0

function retryDelayMs(attempts: number, retryAfterMs = 0): number {
  const backoffMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
  return Math.max(backoffMs, retryAfterMs)
}

function wantsPush({ kind, wantsTeam, pushKinds }: ClaimedReminder): boolean {
  if (kind === 'team-reminder') return wantsTeam
  const choice = switchOf(kind)
  return choice !== undefined && pushKinds.includes(choice)
}

function reasonNotToSend(reminder: ClaimedReminder): Outcome | undefined {
  const isMail = reminder.subscriptionId === null
  if (reminder.leftMs <= 0) return 'expired'
  if (reminder.isFrozen || (isMail && !reminder.wantsMail)) return 'unwanted'
  if (!isMail && !reminder.sealed) return 'removed'
  if (!isMail && !wantsPush(reminder)) return 'unwanted'
  const isToMine = reminder.sessionId !== null || reminder.kind === 'team-reminder'
  return reminder.isMining && isToMine ? 'mining' : undefined
}

async function finish(
  { db, metrics, log }: Context,
  { id, userId, subscriptionId }: ClaimedReminder,
  outcome: Outcome,
  reason?: string,
): Promise<void> {
  const channel = subscriptionId === null ? 'mail' : 'push'
  if (!(await settleReminder(db, id, outcome, reason ?? null))) return
  metrics.reminders.inc({ channel, result: outcome })
  log.debug({ memberId: userId, channel, outcome, reason }, 'reminder settled')
}

/** Both rows change in one transaction, so a reminder is one mail. The lock excludes the deletion of the account. */
async function deliverMail(context: Context, reminder: ClaimedReminder): Promise<void> {
  const { db, config, metrics } = context
  const { id, userId: memberId, language } = reminder
  const { emailKey } = await db('users').where({ id: memberId }).first('emailKey')
  if (await isRefused(db, emailKey)) {
    return finish(context, reminder, 'unwanted', 'the address refuses mails')
  }
  const isWritten = await inTransaction(db, async (tx) => {
    await lockMember(tx, memberId)
    if (!(await settleReminder(tx, id, 'sent'))) return false
    const { email: to } = await tx('users').where({ id: memberId }).first('email')
    const page = `${mailOrigin(config)}${SESSION_PATH}`
    const url = `${unsubscribeUrl(config, memberId)}&language=${language}`
    const links = { page, unsubscribeUrl: url }
    const text = mailTexts(language).sessionEnded(links)
    await enqueueMail(tx, config.dataKey, { to, ...text, unsubscribes: memberId })
    return true
  })
  if (isWritten) metrics.reminders.inc({ channel: 'mail', result: 'sent' })
}

async function deliverPush(
  context: Context,
  reminder: ClaimedReminder,
  sealed: Buffer,
): Promise<void> {
  const { db, config, log, metrics } = context
  const { id, userId: memberId, subscriptionId, attempts, leftMs } = reminder
  // A wait beyond its life would leave the row unsettled.
  const postpone = (reason: string, retryAfterMs?: number) =>
    postponeReminder(db, id, Math.min(retryDelayMs(attempts, retryAfterMs), leftMs), reason)
  const isRetry = attempts > 1
  if (isRetry && retries >= RETRIES_AT_ONCE) {
    // It was not tried, so it waits for a place only; scattered, so that places are not empty in between.
    const delayMs = Math.min(FIRST_RETRY_MS * (0.5 + Math.random()), leftMs)
    return postponeReminder(db, id, delayMs, 'too many other reminders are retried')
  }
  const notification = notificationOf(reminder)
  const subscription = openSubscription(config.dataKey, sealed)
  // Nothing between this and `finally` may throw: the place would be lost.
  if (isRetry) retries++
  const result = await sendPush(config, subscription, {
    payload: JSON.stringify(notification),
    topic: notification.tag,
    ttlSeconds: Math.ceil(leftMs / SECOND_MS),
  }).finally(() => {
    if (isRetry) retries--
  })
  if (result.state === 'accepted') return finish(context, reminder, 'sent')
  const { reason } = result
  if (result.state === 'gone') {
    if (subscriptionId !== null) await removeSubscription(db, memberId, { id: subscriptionId })
    return finish(context, reminder, 'removed', reason)
  }
  if (result.state === 'rejected') {
    log.warn({ memberId, reason }, 'push message rejected; this reminder is given up')
    return finish(context, reminder, 'failed', reason)
  }
  metrics.reminders.inc({ channel: 'push', result: 'retried' })
  log.info({ memberId, reason, attempts }, 'push service unavailable; the reminder is sent later')
  await postpone(reason, result.retryAfterMs)
}

export async function deliverReminder(context: Context, reminder: ClaimedReminder): Promise<void> {
  const outcome = reasonNotToSend(reminder)
  if (outcome) return finish(context, reminder, outcome)
  if (reminder.subscriptionId === null) return deliverMail(context, reminder)
  if (reminder.sealed) return deliverPush(context, reminder, reminder.sealed)
}
