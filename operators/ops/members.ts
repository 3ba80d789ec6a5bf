import {
  allMembers,
  deleteAccount,
  endAllSignIns,
  endSignIns,
  type FrozenSession,
  freezeMember,
  resetFactor,
  unfreezeMember,
} from '#operators/actions/member-changes'
import { findMembers, idOfMember, memberFacts } from '#operators/actions/members'
import { addNote, deleteNote, notesOf } from '#operators/actions/notes'
import { type Change, changeOf } from '#runtime/pubsub'
import {
  acting,
  argument,
  mailContext,
  memberOf,
  newestOfMember,
  type OpsCommand,
  onMember,
  wholeNumber,
  withNext,
} from './command.ts'
import { forgetDevices } from './redis.ts'

const SESSION: Record<FrozenSession, string> = {
  stopped: 'the running session is stopped',
  none: 'no session was running',
  quarantined: 'the quarantined session is stopped when it is released',
}

/** Names every member in `sign-ins end`. */
export const EVERYBODY = '@everybody'

export const memberCommands = {
  'members find': {
    takes: '<text>',
    options: ['[--after <next>]'],
    does: 'members with that id or code, or whose name or e-mail address begins so; 50 at once',
    list: async ({ db, args: [text = ''], options: { after } }) => {
      const { members, next } = await findMembers(db, text, after)
      return withNext(members, next)
    },
  },
  'members show': {
    takes: '<member>',
    does: 'account, balances, team, running session and ways to sign in of a member',
    show: async (call) => memberFacts(call.db, await idOfMember(call.db, argument(call))),
  },
  'members freeze': onMember({
    does: 'ends the sign-ins and the session; the member sees the reason at the next sign-in',
    asks: ({ who }, { reason }) => `Freeze ${who} and show them the reason "${reason}"?`,
    run: async (tx, { id: memberId }, { reason }) => {
      const session = await freezeMember(tx, memberId, reason)
      return {
        says: `member ${memberId} is frozen; ${SESSION[session]}`,
        details: { session },
        publishes: [{ kind: 'signed-out', reason: 'account-frozen', memberId }],
      }
    },
  }),
  'members unfreeze': onMember({
    does: 'the member may sign in and mine again, and reads the reason in the inbox',
    asks: ({ who }, { reason }) => `Unfreeze ${who} and show them the reason "${reason}"?`,
    run: async (tx, { id: memberId }, { reason }) => {
      await unfreezeMember(tx, memberId, reason)
      return { says: `member ${memberId} may sign in again` }
    },
  }),
  'members reset-factor': onMember({
    does: 'switches one-time codes off: the password alone signs in; the member gets a mail',
    asks: ({ who }) => `Let ${who} sign in with the password alone?`,
    run: async (tx, { id: memberId }, call) => {
      await resetFactor(tx, memberId, mailContext(call))
      const says = `member ${memberId} needs no one-time code any more, and gets a mail`
      return { says }
    },
  }),
  'members delete': onMember({
    does: 'deletes the account for good, as the member could: points are lost, the name is free',
    asks: ({ who }) => `Delete the account of ${who} for good?`,
    run: async (tx, { id: memberId }, call) => {
      const { reason, config } = call
      const { dataKey } = config
      const inviter = await deleteAccount(tx, memberId, { dataKey, reason })
      const team: Change[] = inviter === null ? [] : [changeOf(inviter, 'team')]
      return {
        says: `the account of member ${memberId} is deleted`,
        publishes: [{ kind: 'signed-out', reason: 'account-deleted', memberId }, ...team],
        after: () => forgetDevices(call, memberId),
      }
    },
  }),
  'sign-ins end': acting({
    takes: `<member|${EVERYBODY}>`,
    does: 'ends every sign-in; sockets close within 35 s',
    of: async (call) => (argument(call) === EVERYBODY ? 'all members' : (await memberOf(call)).who),
    asks: (who) => `End every sign-in of ${who}?`,
    run: async (tx, _, call) => {
      const name = argument(call)
      if (name === EVERYBODY) {
        const { members, lastId } = await allMembers(tx)
        return {
          says: `${members} signed out`,
          details: { members },
          after: () => endAllSignIns(call.db, { lastId }),
        }
      }
      const memberId = await endSignIns(tx, name)
      return {
        says: '1 signed out',
        memberId,
        publishes: [{ kind: 'signed-out', reason: 'expired', memberId }],
      }
    },
  }),
  'notes list': newestOfMember(
    50,
    'what operators noted about a member, newest first, 50 without --limit',
    notesOf,
  ),
  'notes add': onMember({
    takes: '<member> <text>',
    does: 'notes something about a member, who finds it in the export of their data',
    usualReason: 'note',
    asks: ({ who }, call) => `Note about ${who}: ${argument(call, 1)}?`,
    run: async (tx, { id: memberId }, call) => {
      const note = await addNote(tx, { memberId, author: call.operator, text: argument(call, 1) })
      return { says: `note ${note} about member ${memberId} is kept`, details: { note } }
    },
  }),
  'notes delete': acting({
    takes: '<note>',
    does: 'deletes a note; the log keeps that it was deleted, not its text',
    of: (call) => wholeNumber(argument(call), 'The note'),
    asks: (note) => `Delete note ${note}?`,
    run: async (tx, note) => {
      const memberId = await deleteNote(tx, note)
      return { says: `note ${note} is deleted`, memberId, details: { note } }
    },
  }),
} satisfies Record<string, OpsCommand>
