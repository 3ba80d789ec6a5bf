import type { Db } from '#db/postgres/statements/transaction'
import {
  EVERYBODY,
  endSignIns,
  type FrozenSession,
  freezeCode,
  freezeMember,
  frozenCodes,
  resetFactor,
  unfreezeMember,
} from '#operators/actions/member-changes'
import { findMembers, idOfMember, memberFacts, memberNamed } from '#operators/actions/members'
import {
  type ActCommand,
  argument,
  type ListCommand,
  mailContext,
  type Row,
  type ShowCommand,
} from './command.ts'
import { publishChange, queueMails } from './redis.ts'

export const membersFind: ListCommand = {
  takes: '<text>',
  options: ['[--after <next>]'],
  does: 'members with that id or code, or whose name or e-mail address begins so; 50 at once',
  list: async ({ db, args: [text = ''], options: { after } }) => {
    const { members, next } = await findMembers(db, text, after)
    const rows: Row[] = members
    return next === undefined ? rows : [...rows.slice(0, -1), { ...rows.at(-1), next }]
  },
}

export const membersShow: ShowCommand = {
  takes: '<member>',
  does: 'account, balances, team, running session and ways to sign in of a member',
  show: async (call) => memberFacts(call.db, await idOfMember(call.db, argument(call))),
}

const SESSION: Record<FrozenSession, string> = {
  stopped: 'the running session is stopped',
  none: 'no session was running',
  quarantined: 'the quarantined session is stopped when it is released',
}

export const membersFreeze: ActCommand = {
  takes: '<member>',
  does: 'ends the sign-ins and the session; the member sees the reason at the next sign-in',
  act: async (call, reason) => {
    const { id, username } = await memberNamed(call.db, argument(call))
    return {
      asks: `Freeze member ${id} (${username}) and show them the reason "${reason}"?`,
      run: async (tx) => {
        const session = await freezeMember(tx, id, reason)
        return {
          says: `member ${id} is frozen; ${SESSION[session]}`,
          memberId: id,
          details: { session },
          after: () =>
            publishChange(call, { kind: 'signed-out', reason: 'account-frozen', memberId: id }),
        }
      },
    }
  },
}

export const membersUnfreeze: ActCommand = {
  takes: '<member>',
  does: 'the member may sign in and mine again, and reads the reason in the inbox',
  act: async (call, reason) => {
    const { id, username } = await memberNamed(call.db, argument(call))
    return {
      asks: `Unfreeze member ${id} (${username}) and show them the reason "${reason}"?`,
      run: async (tx) => {
        await unfreezeMember(tx, id, reason)
        return { says: `member ${id} may sign in again`, memberId: id }
      },
    }
  },
}

export const membersResetFactor: ActCommand = {
  takes: '<member>',
  does: 'switches one-time codes off: the password alone signs in; the member gets a mail',
  act: async (call) => {
    const { id, username } = await memberNamed(call.db, argument(call))
    return {
      asks: `Let member ${id} (${username}) sign in with the password alone?`,
      run: async (tx) => {
        const mailId = await resetFactor(tx, id, mailContext(call))
        return {
          says: `member ${id} needs no one-time code any more, and gets a mail`,
          memberId: id,
          after: () => queueMails(call, [mailId]),
        }
      },
    }
  },
}

async function whose(db: Db, name: string): Promise<string> {
  if (name === EVERYBODY) return 'all members'
  const { id, username } = await memberNamed(db, name)
  return `member ${id} (${username})`
}

export const signInsEnd: ActCommand = {
  takes: `<member|${EVERYBODY}>`,
  does: 'ends every sign-in; sockets close within 35 s',
  act: async (call) => {
    const name = argument(call)
    return {
      asks: `End every sign-in of ${await whose(call.db, name)}?`,
      run: async (tx) => {
        const { members, memberId } = await endSignIns(tx, name)
        const says = `${members} signed out`
        if (memberId === undefined) return { says, details: { members } }
        return {
          says,
          memberId,
          after: () => publishChange(call, { kind: 'signed-out', reason: 'expired', memberId }),
        }
      },
    }
  },
}

export const codesList: ListCommand = {
  does: 'frozen referral codes, with their owners and reasons',
  list: ({ db }) => frozenCodes(db),
}

export const codesFreeze: ActCommand = {
  takes: '<code>',
  does: 'the code takes no new members; its owner sees the reason',
  act: async ({ args: [code = ''] }, reason) => {
    return {
      asks: `Freeze the referral code ${code} and show its owner the reason "${reason}"?`,
      run: async (tx) => {
        const memberId = await freezeCode(tx, code, reason)
        return { says: `${code} of member ${memberId} is frozen`, memberId }
      },
    }
  },
}

export const codesUnfreeze: ActCommand = {
  takes: '<code>',
  does: 'the code takes new members again',
  act: async ({ args: [code = ''] }) => {
    return {
      asks: `Let the referral code ${code} take new members again?`,
      run: async (tx) => {
        const memberId = await freezeCode(tx, code, null)
        return { says: `${code} of member ${memberId} takes new members again`, memberId }
      },
    }
  },
}
