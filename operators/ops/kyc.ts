import { existsSync, writeFileSync } from 'node:fs'
import {
  type Decision,
  decideAndNotify,
  documentState,
  newestDocuments,
  readDocument,
  waitingDocuments,
} from '#db/members/kyc'
import type { Tx } from '#db/postgres/statements/transaction'
import { refuse } from '#operators/actions/action-log'
import { changeOf } from '#runtime/pubsub'
import {
  type ActCall,
  acting,
  argument,
  type Done,
  mailContext,
  newest,
  type OpsCall,
  type OpsCommand,
  wholeNumber,
} from './command.ts'

const idOf = (call: OpsCall) => wholeNumber(argument(call), 'The document')

async function decided(tx: Tx, decision: Decision, call: ActCall, says: string): Promise<Done> {
  const memberId = await decideAndNotify(tx, decision, mailContext(call))
  return {
    says: `member ${memberId} is ${says}`,
    memberId,
    details: { document: decision.id },
    publishes: [changeOf(memberId, 'account', 'inbox')],
  }
}

export const kycCommands = {
  'kyc list': {
    does: 'documents that wait for a decision, oldest first',
    list: ({ db }) => waitingDocuments(db),
  },
  'kyc history': newest(
    50,
    'the newest documents and their states, 50 without --limit',
    async (db, limit) =>
      (await newestDocuments(db, limit)).map((document) => ({
        id: document.id,
        username: document.username,
        documentType: document.documentType,
        submittedAt: document.createdAt,
        state: documentState(document),
      })),
  ),
  'kyc show': acting({
    takes: '<document>',
    options: ['--out <file>'],
    does: 'writes a document to a file; the view is logged',
    usualReason: 'identity check',
    of: (call) => {
      const id = idOf(call)
      const { out: file = '' } = call.options
      // A file keeps its mode when it is overwritten.
      if (existsSync(file)) refuse(`${file} exists and is left as it is`)
      return { id, file }
    },
    asks: () => null,
    run: async (tx, { id, file }, { config }) => {
      const bytes = await readDocument(tx, config.dataKey, id)
      const { userId } = await tx('kyc_documents').where({ id }).first('userId')
      return {
        says: `written to ${file}; delete it when you have decided`,
        memberId: userId,
        details: { document: id },
        after: async () => writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' }),
      }
    },
  }),
  'kyc accept': acting({
    takes: '<document>',
    does: 'the member is verified, and gets a mail',
    of: idOf,
    asks: (id) => `Accept document ${id}?`,
    run: (tx, id, call) => decided(tx, { id, accepted: true }, call, 'verified, and gets a mail'),
  }),
  'kyc reject': acting({
    takes: '<document>',
    does: 'back to unverified; the member sees the reason, and gets it by mail',
    of: idOf,
    asks: (id, { reason }) =>
      `Reject document ${id} with the reason "${reason}", which its owner reads?`,
    run: (tx, id, call) => {
      const { reason } = call
      const says = `unverified again, and gets a mail with the reason: ${reason}`
      return decided(tx, { id, accepted: false, reason }, call, says)
    },
  }),
} satisfies Record<string, OpsCommand>
