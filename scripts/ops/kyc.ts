import { writeFileSync } from 'node:fs'
import {
  decideDocument,
  documentState,
  newestDocuments,
  readDocument,
  waitingDocuments,
} from '#db/members/kyc'
import { inTransaction } from '#db/postgres/transaction'
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

export async function kycAccept({ db, args: [id] }: OpsCall): Promise<void> {
  const member = await inTransaction(db, (tx) => decideDocument(tx, idOf(id), true, ''))
  console.log(`member ${member} is verified`)
}

export async function kycReject({ db, args: [id], options }: OpsCall): Promise<void> {
  const reason = needed(options.reason, '--reason')
  const member = await inTransaction(db, (tx) => decideDocument(tx, idOf(id), false, reason))
  console.log(`member ${member} is unverified again: ${reason}`)
}
