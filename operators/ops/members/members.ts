import { idOfMember } from '#operators/actions/members/find-member'
import { findMembers, memberFacts } from '#operators/actions/members/read-members'
import { needed } from '#operators/ops/arguments'
import type { ListCommand, ShowCommand } from '#operators/ops/command'

export const membersFind: ListCommand = {
  takes: '<text>',
  does: 'members whose user name, e-mail address or referral code contains the text; at most 50',
  list: ({ db, args: [text] }) => findMembers(db, needed(text, 'The text')),
}

export const membersShow: ShowCommand = {
  takes: '<member>',
  does: 'account, balances, team, running session and ways to sign in of a member',
  show: async ({ db, args: [member] }) =>
    memberFacts(db, await idOfMember(db, needed(member, 'The member'))),
}
