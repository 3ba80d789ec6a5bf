import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { changePassword } from '#db/members/password'
import { inTransaction } from '#db/postgres/statements/transaction'
import { endSignIns } from '#operators/actions/member-changes'
import { PUSH_DEVICES_MAX } from '#rules/members/reminders'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { waitingForRows } from '#scripts/testing/db/statements/waiting-for-rows'
import { addSubscription, openSubscription, removeSubscription } from './push-subscriptions.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
afterEach(() => fresh.db('push_subscriptions').delete())

const subscriptionOf = (name: string) => ({
  endpoint: `https://push.example/${name}`,
  p256dh: `key of ${name}`,
  auth: `secret of ${name}`,
})
type Device = Parameters<typeof addSubscription>[2]
const store = (device: Omit<Device, 'device' | 'epoch'>, endpoint: string) =>
  inTransaction(fresh.db, (tx) =>
    addSubscription(
      tx,
      fresh.dataKey,
      { epoch: 0, ...device, device: 'Firefox on Linux' },
      subscriptionOf(endpoint),
    ),
  )
const add = (memberId: number, signInName: string, endpoint = signInName) =>
  store({ memberId, signInName, language: 'vi' }, endpoint)
const rows = () => fresh.db('push_subscriptions').orderBy('id')
const signIns = async () => (await rows()).map(({ signInName }) => signInName)

it('endpoint and keys are encrypted at rest', async () => {
  await add(await insertMember(fresh.db), 'phone')
  const [row] = await rows()
  expect(openSubscription(fresh.dataKey, row.sealed)).toEqual(subscriptionOf('phone'))
  const stored = JSON.stringify({ ...row, sealed: row.sealed.toString('latin1') })
  for (const text of ['push.example', 'key of', 'secret of']) expect(stored).not.toContain(text)
})

it('the same subscription is stored once, also in parallel', async () => {
  const memberId = await insertMember(fresh.db)
  await Promise.all(Array.from({ length: 8 }, () => add(memberId, 'phone')))
  expect(await rows()).toHaveLength(1)
})

it('a new subscription of a browser replaces its earlier one', async () => {
  const memberId = await insertMember(fresh.db)
  await add(memberId, 'phone', 'first')
  await add(memberId, 'phone', 'second')
  const [row, ...others] = await rows()
  expect(others).toEqual([])
  expect(openSubscription(fresh.dataKey, row.sealed).endpoint).toContain('second')
})

it('a subscription without a language has that of its sign-in, else of the member', async () => {
  const memberId = await insertMember(fresh.db)
  const renew = (signInName: string, endpoint: string) => store({ memberId, signInName }, endpoint)
  await add(memberId, 'phone')
  await renew('phone', 'renewed')
  await renew('desk', 'desk')
  await fresh.db('users').where({ id: memberId }).update({ language: 'vi' })
  await renew('tablet', 'tablet')
  expect((await rows()).map(({ language }) => language)).toEqual(['vi', 'en', 'vi'])
})

it('an endpoint belongs to the member who used it last', async () => {
  const [first, second] = [await insertMember(fresh.db), await insertMember(fresh.db)]
  await add(first, 'first', 'browser')
  await add(second, 'second', 'browser')
  expect(await rows()).toMatchObject([{ userId: second, signInName: 'second' }])
})

it('one more than the most devices replaces the oldest', async () => {
  const memberId = await insertMember(fresh.db)
  for (let n = 0; n <= PUSH_DEVICES_MAX; n++) await add(memberId, `device ${n}`)
  expect(await signIns()).toHaveLength(PUSH_DEVICES_MAX)
  expect(await signIns()).not.toContain('device 0')
})

it('a subscription of another member is not removed', async () => {
  await add(await insertMember(fresh.db), 'phone')
  const [{ id }] = await rows()
  await removeSubscription(fresh.db, await insertMember(fresh.db), { id })
  expect(await signIns()).toEqual(['phone'])
})

it('a new password removes all devices but the one that set it', async () => {
  const memberId = await insertMember(fresh.db)
  for (const name of ['phone', 'desk']) await add(memberId, name)
  for (const [epoch, passwordHash] of ['one', 'two'].entries()) {
    await inTransaction(fresh.db, (tx) =>
      changePassword(tx, { memberId, epoch }, { passwordHash, keptSignIn: 'desk' }),
    )
    expect(await signIns()).toEqual(['desk'])
  }
})

it('the end of all sign-ins by an operator removes the devices of that member only', async () => {
  const [first, second] = [await insertMember(fresh.db), await insertMember(fresh.db)]
  await add(first, 'first')
  await add(second, 'second')
  await inTransaction(fresh.db, (tx) => endSignIns(tx, `id:${first}`))
  expect(await signIns()).toEqual(['second'])
})

it('a device that is stored while its sign-in ends goes with it, and cannot be stored afterwards', async () => {
  const memberId = await insertMember(fresh.db)
  const device = { memberId, epoch: 0, signInName: 'phone', device: 'Firefox' }
  const storing = await fresh.db.transaction()
  await addSubscription(storing, fresh.dataKey, device, subscriptionOf('phone'))
  const ended = inTransaction(fresh.db, (tx) => endSignIns(tx, `id:${memberId}`))
  await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
  await storing.commit()
  await ended
  expect(await rows()).toEqual([])
  expect(await add(memberId, 'phone')).toBe(false)
  expect(await rows()).toEqual([])
})
