import { writeFileSync } from 'node:fs'
import {
  type Decision,
  decideAndNotify,
  documentState,
  newestDocuments,
  readDocument,
  waitingDocuments,
} from '#db/members/kyc'
import type { Tx } from '#db/postgres/statements/transaction'
import {
  type ActCommand,
  argument,
  type ListCommand,
  limitOf,
  type OpsCall,
  wholeNumber,
} from './command.ts'
import { publishChange, queueMails } from './redis.ts'

/** Identity documents: an operator inspects and decides them. */

const idOf = (call: OpsCall) => wholeNumber(argument(call), 'The document')

export const kycList: ListCommand = {
  does: 'documents that wait for a decision, oldest first',
  list: ({ db }) => waitingDocuments(db),
}

export const kycHistory: ListCommand = {
  options: ['[--limit <n>]'],
  does: 'the newest documents and their states, 50 without --limit',
  list: async (call) =>
    (await newestDocuments(call.db, limitOf(call, 50))).map((document) => ({
      id: document.id,
      username: document.username,
      documentType: document.documentType,
      submittedAt: document.createdAt,
      state: documentState(document),
    })),
}

export const kycShow: ActCommand = {
  takes: '<document>',
  options: ['--out <file>'],
  does: 'writes a document to a file; the view is logged',
  usualReason: 'identity check',
  act: async (call) => {
    const id = idOf(call)
    const file = call.options.out ?? ''
    return {
      asks: null,
      run: async (tx) => {
        const bytes = await readDocument(tx, call.config.dataKey, id)
        const { userId } = await tx('kyc_documents').where({ id }).first('userId')
        return {
          says: `written to ${file}; delete it when you have decided`,
          memberId: userId,
          details: { document: id },
          after: async () => writeFileSync(file, bytes, { mode: 0o600 }),
        }
      },
    }
  },
}

async function decide(call: OpsCall, tx: Tx, decision: Decision, says: (id: number) => string) {
  const mails = { dataKey: call.config.dataKey, origin: call.config.publicOrigins[0] }
  const { memberId, mailId } = await decideAndNotify(tx, decision, mails)
  const details = { document: decision.id }
  const after = async () => {
    await publishChange(call, {
      kind: 'members',
      memberIds: [memberId],
      topics: ['account', 'inbox'],
    })
    await queueMails(call, [mailId])
  }
  return { says: says(memberId), memberId, details, after }
}

export const kycAccept: ActCommand = {
  takes: '<document>',
  does: 'the member is verified, and gets a mail',
  act: async (call) => {
    const id = idOf(call)
    return {
      asks: `Accept document ${id}?`,
      run: (tx) =>
        decide(
          call,
          tx,
          { id, accepted: true },
          (memberId) => `member ${memberId} is verified, and gets a mail`,
        ),
    }
  },
}

export const kycReject: ActCommand = {
  takes: '<document>',
  does: 'back to unverified; the member sees the reason, and gets it by mail',
  act: async (call, reason) => {
    const id = idOf(call)
    return {
      asks: `Reject document ${id} with the reason "${reason}", which its owner reads?`,
      run: (tx) =>
        decide(
          call,
          tx,
          { id, accepted: false, reason },
          (memberId) =>
            `member ${memberId} is unverified again, and gets a mail with the reason: ${reason}`,
        ),
    }
  },
}
