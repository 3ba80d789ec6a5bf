import { deleteOldAddresses } from '#db/counted-addresses'
import { deleteOldCodes } from '#db/email-codes'
import { deleteOldKeys } from '#db/idempotency'
import { deleteOldDocuments } from '#db/kyc-retention'
import { creditLagSeconds } from '#db/lag'
import { deleteOldMails, forgottenMails, MAIL_TRIES, mailFigures } from '#db/mails'
import { deleteOldHours } from '#db/network'
import { ensurePartitions, strayLedgerRows } from '#db/partitions'
import type { Handler } from './context.ts'
import { creditLag, mailsFailed, mailsWaiting, strayRows } from './metrics.ts'
import { mailJobOptions } from './queue.ts'

/** A mail without a sign of life for that long lost its job. */
const FORGOTTEN_MS = 60_000

/** What must happen now and then: partitions ahead, clean-up, lost mails, figures for alarms. */
export const upkeep: Handler<'upkeep'> = async ({ db, config, mailQueue, log }) => {
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
  await deleteOldAddresses(db)
  const documents = await deleteOldDocuments(db, config.kycRetentionDays)
  if (documents > 0) log.info({ documents }, 'identity documents deleted')
  if (config.smtpUrl) await deleteOldMails(db)
}
