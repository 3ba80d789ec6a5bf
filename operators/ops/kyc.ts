import { existsSync, writeFileSync } from 'node:fs'
import {
  type Decision,
  decideAndNotify,
  documentState,
  newestDocuments,
  readDocument,
  waitingDocuments,
} from '#db/members/kyc'
import { RuleError } from '#rules/rule-error'
import {
  type Action,
  argument,
  changeOf,
  limitOf,
  mailContext,
  type OpsCall,
  type OpsCommand,
  wholeNumber,
} from './command.ts'

const idOf = (call: OpsCall) => wholeNumber(argument(call), 'The document')

const deciding = (call: OpsCall, asks: string, decision: Decision, says: string): Action => ({
  asks,
  run: async (tx) => {
    const memberId = await decideAndNotify(tx, decision, mailContext(call))
    return {
      says: `member ${memberId} is ${says}`,
      memberId,
      details: { document: decision.id },
      publishes: [changeOf(memberId, 'account', 'inbox')],
    }
  },
})

export const kycCommands = {
  'kyc list': {
    does: 'documents that wait for a decision, oldest first',
    list: ({ db }) => waitingDocuments(db),
  },
  'kyc history': {
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
  },
  'kyc show': {
    takes: '<document>',
    options: ['--out <file>'],
    does: 'writes a document to a file; the view is logged',
    usualReason: 'identity check',
    act: async (call) => {
      const id = idOf(call)
      const file = call.options.out ?? ''
      // A file keeps its mode when it is overwritten.
      if (existsSync(file)) throw new RuleError('bad_input', `${file} exists and is left as it is`)
      return {
        asks: null,
        run: async (tx) => {
          const bytes = await readDocument(tx, call.config.dataKey, id)
          const { userId } = await tx('kyc_documents').where({ id }).first('userId')
          return {
            says: `written to ${file}; delete it when you have decided`,
            memberId: userId,
            details: { document: id },
            after: async () => writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' }),
          }
        },
      }
    },
  },
  'kyc accept': {
    takes: '<document>',
    does: 'the member is verified, and gets a mail',
    act: async (call) => {
      const decision: Decision = { id: idOf(call), accepted: true }
      const asks = `Accept document ${decision.id}?`
      return deciding(call, asks, decision, 'verified, and gets a mail')
    },
  },
  'kyc reject': {
    takes: '<document>',
    does: 'back to unverified; the member sees the reason, and gets it by mail',
    act: async (call, reason) => {
      const decision: Decision = { id: idOf(call), accepted: false, reason }
      const asks = `Reject document ${decision.id} with the reason "${reason}", which its owner reads?`
      const says = `unverified again, and gets a mail with the reason: ${reason}`
      return deciding(call, asks, decision, says)
    },
  },
} satisfies Record<string, OpsCommand>
