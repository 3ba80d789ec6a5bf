import { markFailed, markSent, waitingMail } from '#db/mails'
import type { Handler } from '#workers/context'

/** SMTP says with 5xx that this mail will never be taken. */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code === 'number' && code >= 500
}

/** Sends one mail that still waits. A failure is noted and thrown, so that the queue tries again. */
export const sendMail: Handler<'send-mail'> = async ({ db, config, mailer, log }, { mailId }) => {
  const mail = await waitingMail(db, config.dataKey, mailId)
  if (!mail) return
  try {
    await mailer.send(mail)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ mailId, attempts: mail.attempts + 1, reason }, 'mail was not sent')
    await markFailed(db, mailId, reason, isFinal(error))
    throw error
  }
  await markSent(db, mailId, mailer.keepsText)
}
