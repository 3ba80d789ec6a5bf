import { writeFileSync } from 'node:fs'
import { MAIL_TRIES } from '#db/mails'
import { documentState, newestDocuments, readDocument, waitingDocuments } from '#db/members/kyc'
import { type Decision, decideAndNotify } from '#db/members/kyc-decision'
import { inTransaction } from '#db/postgres/transaction'
import { redisForRequests } from '#db/process/redis'
import { mailJobs } from '#queue'
import { RuleError } from '#rules/rule-error'
import { needed, type OpsCall } from '#scripts/ops/call'

/** Identity documents: an operator inspects and decides them. */

function idOf(text: string | undefined): number {
  const id = Number(needed(text, 'The id'))
  if (!Number.isInteger(id)) throw new RuleError('bad_input', 'The id must be a number')
  return id
}

const SHOWN_DOCUMENTS = 50

/** Prints the newest documents with the state of each in words. */
export async function listDocuments({ db, config }: OpsCall): Promise<void> {
  for (const document of await newestDocuments(db, SHOWN_DOCUMENTS)) {
    const { id, username, documentType, createdAt } = document
    const day = createdAt.toISOString().slice(0, 10)
    console.log(`${id}  ${username}, ${documentType} of ${day}: ${documentState(document)}`)
  }
  console.log(`Documents are deleted ${config.kycRetentionDays} days after the decision.`)
}

export async function kycList({ db }: OpsCall): Promise<void> {
  console.table(await waitingDocuments(db))
}

export async function kycShow({ db, config, args: [id], options }: OpsCall): Promise<void> {
  const file = needed(options.out, '--out')
  writeFileSync(file, await readDocument(db, config.dataKey, idOf(id)), { mode: 0o600 })
  console.log(`written to ${file}; delete it when you have decided`)
}

/**
 * Queues a mail of the outbox. Without Redis, or if this process dies before, the maintenance job
 * queues it within two minutes.
 */
async function queueMail({ config, redisUrl }: OpsCall, mailId: number): Promise<void> {
  if (!redisUrl) return
  const redis = redisForRequests(redisUrl)
  const jobs = mailJobs(redis, config.redisPrefix)
  try {
    await jobs.add(mailId, MAIL_TRIES)
  } catch (error) {
    console.error(`mail ${mailId} not queued; workers queue it within two minutes`, error)
  } finally {
    await jobs.close()
    redis.disconnect()
  }
}

async function decide(call: OpsCall, decision: Decision) {
  const { db, config } = call
  const mails = { dataKey: config.dataKey, origin: config.publicOrigins[0] }
  const decided = await inTransaction(db, (tx) => decideAndNotify(tx, decision, mails))
  await queueMail(call, decided.mailId)
  return decided
}

export async function kycAccept(call: OpsCall): Promise<void> {
  const { memberId } = await decide(call, { id: idOf(call.args[0]), accepted: true })
  console.log(`member ${memberId} is verified, and gets a mail`)
}

export async function kycReject(call: OpsCall): Promise<void> {
  const { args, options } = call
  const rejection = { id: idOf(args[0]), reason: needed(options.reason, '--reason') }
  const { memberId, reason } = await decide(call, { ...rejection, accepted: false })
  console.log(`member ${memberId} is unverified again, and gets a mail with the reason: ${reason}`)
}
