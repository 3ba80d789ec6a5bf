import {
  dropMail,
  isFiledUnder,
  isWanted,
  markFailed,
  markSent,
  noteSending,
  type StoredMail,
  UnreadableMail,
  waitingMail,
} from '#db/mails'
import { isRefused, lockOwnerOf, refuseAddress } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { emailKey } from '#rules/members/usernames-and-emails'
import type { Context, Handler } from '#workers/job'
import { refusalOf, withoutAddresses } from '#workers/mail-refusal'

const REFUSED_BEFORE =
  'not tried: the address refuses mails (npm run ops -- mail refused, mail allow)'

/** Marks what was refused for good: the mail, and the address if it is the reason. */
async function giveUp(
  { db, changes }: Context,
  { id, to }: StoredMail,
  { reason, isAddress }: { reason: string; isAddress: boolean },
): Promise<void> {
  const memberId = await inTransaction(db, async (tx) => {
    // Before the row of the mail, as a deletion locks them.
    if (isAddress) await lockOwnerOf(tx, emailKey(to))
    // The mails of a member who was deleted meanwhile are gone, and the address must not be kept.
    const isKept = await markFailed(tx, id, reason, true)
    // The address of a notice about its own change belongs to no member.
    const isOwn = isKept && isAddress && (await isFiledUnder(tx, id, emailKey(to)))
    return isOwn ? refuseAddress(tx, { email: to, reason, fact: id }) : undefined
  })
  if (memberId !== undefined) await changes.publishMembers([memberId], ['inbox'])
}

/** Records a failure; one that may pass is thrown, so that the queue retries the job. */
export const sendMail: Handler<'send-mail'> = async (context, { mailId }) => {
  const { db, config, mailer, log, metrics } = context
  let mail: StoredMail | undefined
  try {
    const found = await waitingMail(db, config.dataKey, mailId)
    if (!found) return
    if (!(await isWanted(db, found))) {
      log.info({ mailId }, 'mail dropped: the member no longer wants it')
      return await dropMail(db, mailId)
    }
    if (await isRefused(db, emailKey(found.to))) {
      metrics.mails.inc({ result: 'skipped' })
      // Reminders are dropped. Other mails stay visible to operators, because members wait for them.
      if (found.unsubscribes !== undefined) return await dropMail(db, mailId)
      await markFailed(db, mailId, REFUSED_BEFORE, true)
      return
    }
    if (!(await noteSending(db, mailId))) return
    mail = found
    await mailer.send(mail)
  } catch (error) {
    // A failed query is not the fault of the mail.
    if (!mail && !(error instanceof UnreadableMail)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const logged = withoutAddresses(reason)
    const refusal = refusalOf(error)
    metrics.mails.inc({ result: refusal ? 'rejected' : 'failed' })
    if (mail && refusal) {
      log.warn({ mailId, refused: refusal, reason: logged }, 'mail rejected permanently')
      return giveUp(context, mail, { reason, isAddress: refusal === 'address' })
    }
    log.warn(
      { mailId, attempts: mail && mail.attempts + 1, reason: logged },
      'mail not sent; the queue retries it while attempts are left',
    )
    await markFailed(db, mailId, reason)
    // The queue logs what is thrown; the error of the mail server lists its recipients.
    throw new Error(logged)
  }
  metrics.mails.inc({ result: 'sent' })
  log.debug({ mailId }, 'mail sent')
  await markSent(db, mailId, mailer.keepsText)
}
