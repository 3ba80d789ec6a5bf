import { deleteOldKeys } from '#db/ledger/idempotency'
import { deleteOldHours } from '#db/ledger/network-counters'
import { deleteOldMails, forgottenMails, MAIL_TRIES, mailFigures } from '#db/mails'
import { deleteOldCodes } from '#db/members/email-codes'
import { deleteOldDocuments } from '#db/members/kyc'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { ensurePartitions, strayLedgerRows } from '#db/postgres/partitions'
import { deleteOldEmailHashes } from '#db/team/used-referral-emails'
import type { Handler } from '#workers/context'
import { creditLag, mailsFailed, mailsWaiting, strayRows } from '#workers/metrics'
import { mailJobOptions } from '#workers/queue'

/** A mail without a sign of life for that long lost its job. */
const FORGOTTEN_MS = 60_000

/** What must happen now and then: partitions ahead, clean-up, lost mails, figures for alarms. */
export const maintenance: Handler<'maintenance'> = async ({ db, config, mailQueue, log }) => {
  const made = await ensurePartitions(db)
  if (made.length > 0) log.info({ made }, 'ledger partitions made')
  strayRows.set(await strayLedgerRows(db))
  creditLag.set(await creditLagSeconds(db))
  for (const mailId of await forgottenMails(db, FORGOTTEN_MS)) {
    await mailQueue.add('send-mail', { mailId }, mailJobOptions(mailId, MAIL_TRIES))
  }
  const mails = await mailFigures(db)
  mailsWaiting.set(mails.waiting)
  mailsFailed.set(mails.failed)
  await deleteOldCodes(db)
  await deleteOldKeys(db)
  await deleteOldHours(db)
  await deleteOldEmailHashes(db)
  const documents = await deleteOldDocuments(db, config.kycRetentionDays)
  if (documents > 0) log.info({ documents }, 'identity documents deleted')
  if (config.smtpUrl) await deleteOldMails(db)
}
