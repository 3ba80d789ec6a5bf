import { markFailed, markSent, type StoredMail, UnreadableMail, waitingMail } from '#db/mails'
import type { Handler } from '#workers/job'

/** Steps of an SMTP dialogue that concern the mail itself. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE']

/**
 * Whether the server rejected the mail permanently (SMTP 5xx). A rejected password of `SMTP_URL` is
 * 5xx too, and no fault of the mail: it is sent when the setting is right again.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'code' in error)) return false
  const { responseCode, code } = error
  return Number(responseCode) >= 500 && ABOUT_THE_MAIL.includes(String(code))
}

/** Sends a waiting mail. A failure is recorded and thrown, so that the queue retries the job. */
export const sendMail: Handler<'send-mail'> = async (context, { mailId }) => {
  const { db, config, mailer, log, metrics } = context
  let mail: StoredMail | undefined
  try {
    mail = await waitingMail(db, config.dataKey, mailId)
    if (!mail) return
    await mailer.send(mail)
  } catch (error) {
    // A failed read is not the fault of the mail.
    if (!mail && !(error instanceof UnreadableMail)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    log.warn(
      { mailId, attempts: mail && mail.attempts + 1, reason },
      isFinal(error)
        ? 'mail rejected permanently'
        : 'mail not sent; the queue retries it while attempts are left',
    )
    metrics.mails.inc({ result: isFinal(error) ? 'rejected' : 'failed' })
    await markFailed(db, mailId, reason, isFinal(error))
    throw error
  }
  metrics.mails.inc({ result: 'sent' })
  await markSent(db, mailId, mailer.keepsText)
}
