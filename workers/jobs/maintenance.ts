import { deleteOldKeys } from '#db/ledger/idempotency'
import { deleteOldHours } from '#db/ledger/network-counters'
import { deleteOldMails, MAIL_TRIES, mailFigures, unsentMails } from '#db/mails'
import { deleteOldCodes } from '#db/members/email-codes'
import { deleteOldDocuments } from '#db/members/kyc'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { ensurePartitions, strayLedgerRows } from '#db/postgres/partitions'
import { deleteOldEmailHashes } from '#db/team/used-referral-emails'
import type { Handler } from '#workers/context'
import { mailJobOptions } from '#workers/queue'

/** Age from which an unsent mail counts as one that lost its job. */
const LOST_JOB_MS = 60_000

/** Makes partitions, requeues mails without a job, sets gauges and deletes expired rows. */
export const maintenance: Handler<'maintenance'> = async ({
  db,
  config,
  mailQueue,
  metrics,
  log,
}) => {
  const made = await ensurePartitions(db)
  if (made.length > 0) log.info({ made }, 'ledger partitions created')
  metrics.strayRows.set(await strayLedgerRows(db))
  metrics.creditLag.set(await creditLagSeconds(db))
  for (const mailId of await unsentMails(db, LOST_JOB_MS)) {
    await mailQueue.add('send-mail', { mailId }, mailJobOptions(mailId, MAIL_TRIES))
  }
  const mails = await mailFigures(db)
  metrics.mailsWaiting.set(mails.waiting)
  metrics.mailsFailed.set(mails.failed)
  await deleteOldCodes(db)
  await deleteOldKeys(db)
  await deleteOldHours(db)
  await deleteOldEmailHashes(db)
  const documents = await deleteOldDocuments(db, config.kycRetentionDays)
  if (documents > 0) log.info({ documents }, 'identity documents deleted')
  if (config.smtpUrl) await deleteOldMails(db)
}
