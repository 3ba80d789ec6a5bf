import type { Tx } from '#db/postgres/statements/transaction'
import { beginEmailChange, confirmEmailChange, setEmail } from '#operators/actions/email-change'
import { type Change, changeOf } from '#runtime/pubsub'
import {
  argument,
  type Done,
  mailContext,
  type OpsCall,
  type OpsCommand,
  onMember,
} from './command.ts'

/** The member's inviter sees the address in the team. */
async function changed(tx: Tx, memberId: number, by: string): Promise<Done> {
  const { referredBy } = await tx('users').where({ id: memberId }).first('referredBy')
  const inviter: Change[] = referredBy === null ? [] : [changeOf(referredBy, 'team')]
  return {
    says: `member ${memberId} has the new address; every sign-in has ended, the old mailbox is told`,
    details: { confirmed: by },
    publishes: [{ kind: 'signed-out', reason: 'expired', memberId }, ...inviter],
  }
}

/** A code as an argument; `-` stands for none. */
const codeAt = (call: OpsCall, at: number) => argument(call, at).replace(/^-$/, '').trim()

export const emailChangeCommands = {
  'members change-email': onMember({
    takes: '<member> <email>',
    does: 'mails a code to the old and to the new address; both confirm the change',
    asks: ({ who }, call) =>
      `Ask both mailboxes whether the address of ${who} becomes ${argument(call, 1)}?`,
    run: async (tx, { id: memberId }, call) => {
      const change = { memberId, email: argument(call, 1) }
      const says = 'both mailboxes get a code, valid for 24 hours: members confirm-email takes them'
      await beginEmailChange(tx, mailContext(call), change)
      return { says }
    },
  }),
  'members confirm-email': onMember({
    takes: '<member> <email> <code-of-old> <code-of-new>',
    does: 'changes the address with the codes of both mailboxes; - for one that has confirmed',
    usualReason: 'both mailboxes',
    asks: ({ who }, call) => `Change the address of ${who} to ${argument(call, 1)}?`,
    run: async (tx, { id: memberId }, call) => {
      const codes = { old: codeAt(call, 2), new: codeAt(call, 3) }
      const change = { memberId, email: argument(call, 1), codes }
      const missing = await confirmEmailChange(tx, mailContext(call), change)
      if (missing === undefined) return changed(tx, memberId, 'mailboxes')
      return {
        says: 'the address stays',
        details: { confirmed: false },
        refused: `The address stays: ${missing}`,
      }
    },
  }),
  'members set-email': onMember({
    takes: '<member> <email>',
    does: 'changes the address without the mailboxes, for a lost one: only after proof of who asks',
    asks: ({ who }, call) => `Give the account of ${who} to the mailbox ${argument(call, 1)}?`,
    run: async (tx, { id: memberId }, call) => {
      const email = argument(call, 1)
      await setEmail(tx, mailContext(call), { memberId, email })
      return changed(tx, memberId, 'owner')
    },
  }),
} satisfies Record<string, OpsCommand>
