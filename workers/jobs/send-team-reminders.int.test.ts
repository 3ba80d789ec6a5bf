import { beforeEach, expect, it } from 'vitest'
import { writeInbox } from '#db/inbox/inbox'
import { inTransaction } from '#db/postgres/statements/transaction'
import { storePreference } from '#db/reminders/mail-reminders'
import { wakeMember } from '#db/team/wake'
import { insertMember } from '#scripts/testing/db/members'
import { insertSessions } from '#scripts/testing/db/sessions'
import { useRemindedMember } from '#scripts/testing/workers/reminded-member'

const { member, subscribe, send, rows } = useRemindedMember()
let inviterId: number
let name: string

beforeEach(async () => {
  const { db } = member.context
  inviterId = await insertMember(db)
  name = (await db('users').where({ id: inviterId }).first('username')).username
  await db('users').where({ id: member.id }).update({ referredBy: inviterId })
  await inTransaction(db, (tx) => storePreference(tx, member.id, 'en', { team: true }))
})

const wake = () => inTransaction(member.context.db, (tx) => wakeMember(tx, inviterId, member.id))
const outcomes = async () => (await rows()).map(({ outcome }) => outcome)

it('a team reminder names the inviter on each device, in its language, and opens Mine', async () => {
  const [english, vietnamese] = [await subscribe(), await subscribe('vi')]
  await wake()
  await send()
  expect(member.service.shownOn(english)).toMatchObject([
    { title: `${name} reminds you to mine`, path: '/mine', lang: 'en' },
  ])
  expect(member.service.shownOn(vietnamese)).toMatchObject([
    { title: `${name} nhắc bạn đào`, path: '/mine', lang: 'vi' },
  ])
})

it('a device without its own choices gets team reminders, and nothing that is off', async () => {
  const device = await subscribe()
  const { db } = member.context
  await db('reminder_preferences').update({ pushKinds: [] })
  const milestone = { kind: 'milestone-ready', fact: 10, facts: { members: 10 } } as const
  await inTransaction(db, (tx) => writeInbox(tx, { memberId: member.id, ...milestone }))
  await wake()
  await send()
  expect(member.service.shownOn(device)).toHaveLength(1)
})

it('a member who blocks, switches off or mines before it is sent gets none', async () => {
  const { db } = member.context
  const device = await subscribe()
  await wake()
  await inTransaction(db, (tx) =>
    storePreference(tx, member.id, 'en', { inviterBlockedAt: tx.fn.now() }),
  )
  await send()
  expect(await outcomes()).toEqual(['unwanted'])
  const wakeAgain = async () => {
    await db('reminders').delete()
    await db('reminder_preferences').update({ inviterBlockedAt: null, remindedOn: null })
    await db('inbox').delete()
    await wake()
  }
  await wakeAgain()
  await inTransaction(db, (tx) => storePreference(tx, member.id, 'en', { team: false }))
  await send()
  expect(await outcomes()).toEqual(['unwanted'])
  await inTransaction(db, (tx) => storePreference(tx, member.id, 'en', { team: true }))
  await wakeAgain()
  await insertSessions(db, [{ userId: member.id, startedAt: Date.now() }])
  await send()
  expect(await outcomes()).toEqual(['mining'])
  expect(member.service.shownOn(device)).toEqual([])
})

it('a reminder of an inviter who has left meanwhile names nobody', async () => {
  const device = await subscribe()
  await wake()
  await member.context.db('users').where({ id: member.id }).update({ referredBy: null })
  await send()
  expect(member.service.shownOn(device)).toMatchObject([
    { title: 'Your inviter reminds you to mine' },
  ])
})
