import { markFailed, markSent, type StoredMail, UnreadableMail, waitingMail } from '#db/mails'
import type { Handler } from '#workers/context'

/** Whether the server rejected the mail permanently (SMTP 5xx). */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code === 'number' && code >= 500
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
