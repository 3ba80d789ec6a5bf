import type { Tx } from '#db/postgres/statements/transaction'
import {
  beginEmailChange,
  type ChangeCodes,
  confirmEmailChange,
  setEmail,
} from '#operators/actions/email-change'
import { memberNamed } from '#operators/actions/members'
import type { Change } from '#runtime/pubsub'
import {
  argument,
  changeOf,
  type Done,
  mailContext,
  type OpsCall,
  type OpsCommand,
} from './command.ts'

/** What follows a changed address; the member's inviter sees it in the team. */
async function changed(tx: Tx, memberId: number, mailId: number, by: string): Promise<Done> {
  const { referredBy } = await tx('users').where({ id: memberId }).first('referredBy')
  const inviter: Change[] = referredBy === null ? [] : [changeOf(referredBy, 'team')]
  return {
    says: `member ${memberId} has the new address; every sign-in has ended, the old mailbox is told`,
    memberId,
    details: { confirmed: by },
    publishes: [{ kind: 'signed-out', reason: 'expired', memberId }, ...inviter],
    mails: [mailId],
  }
}

async function confirm(call: OpsCall, tx: Tx, memberId: number, codes: ChangeCodes): Promise<Done> {
  const change = { memberId, email: argument(call, 1), codes }
  const result = await confirmEmailChange(tx, mailContext(call), change)
  if (result.changed) return changed(tx, memberId, result.mailId, 'mailboxes')
  return {
    says: 'the address stays',
    memberId,
    details: { confirmed: false },
    refused: `The address stays: ${result.missing}`,
  }
}

/** A code as an argument; `-` stands for none. */
const codeAt = (call: OpsCall, at: number) => argument(call, at).replace(/^-$/, '').trim()

export const emailChangeCommands = {
  'members change-email': {
    takes: '<member> <email>',
    does: 'mails a code to the old and to the new address; both confirm the change',
    act: async (call) => {
      const { id, username } = await memberNamed(call.db, argument(call))
      const email = argument(call, 1)
      return {
        asks: `Ask both mailboxes whether the address of member ${id} (${username}) becomes ${email}?`,
        run: async (tx) => {
          const change = { memberId: id, email }
          return {
            says: 'both mailboxes get a code, valid for 24 hours: members confirm-email takes them',
            memberId: id,
            mails: await beginEmailChange(tx, mailContext(call), change),
          }
        },
      }
    },
  },
  'members confirm-email': {
    takes: '<member> <email> <code-of-old> <code-of-new>',
    does: 'changes the address with the codes of both mailboxes; - for one that has confirmed',
    usualReason: 'both mailboxes',
    act: async (call) => {
      const { id } = await memberNamed(call.db, argument(call))
      const codes = { old: codeAt(call, 2), new: codeAt(call, 3) }
      return {
        asks: `Change the address of member ${id} to ${argument(call, 1)}?`,
        run: (tx) => confirm(call, tx, id, codes),
      }
    },
  },
  'members set-email': {
    takes: '<member> <email>',
    does: 'changes the address without the mailboxes, for a lost one: only after proof of who asks',
    act: async (call) => {
      const { id, username } = await memberNamed(call.db, argument(call))
      const email = argument(call, 1)
      return {
        asks: `Give the account of member ${id} (${username}) to the mailbox ${email}?`,
        run: async (tx) => {
          const mailId = await setEmail(tx, mailContext(call), { memberId: id, email })
          return changed(tx, id, mailId, 'owner')
        },
      }
    },
  },
} satisfies Record<string, OpsCommand>
