import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ServerEvents } from '#contract/events'
import { ChangeChannel } from '#db/process/change-channel'
import { createLog } from '#db/process/log'
import { redisForRequests } from '#db/process/redis'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { type Product, startProduct } from '#gateway/testing/product'
import { type MemberSocket, newMember, type Visitor } from '#gateway/testing/visitor'
import { MINUTE_MS } from '#rules/constants'

let product: Product
let member: Visitor
/** Another publisher of changes, as a worker is. */
function publisher() {
  const redis = redisForRequests(product.config.redisUrl)
  const changes = new ChangeChannel(redis, product.config.redisPrefix, createLog('test', 'silent'))
  return { changes, close: () => redis.disconnect() }
}

beforeAll(async () => {
  product = await startProduct({ gateways: 2 })
  await freeze(product.db)
})
afterAll(() => product.close())
beforeEach(async () => {
  member = await newMember(product)
})
afterEach(() => member.disconnect())

type Snapshots = Pick<ServerEvents, 'mining' | 'wallet' | 'activity'>
const next = <E extends keyof Snapshots>(socket: MemberSocket, event: E) =>
  new Promise<Parameters<Snapshots[E]>[0]>((resolve) => {
    const listen = socket.once as (name: E, heard: (payload: never) => void) => void
    listen.call(socket, event, resolve as (payload: never) => void)
  })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const timeless = <T extends object>(snapshot: T) => ({ ...snapshot, asOf: 0 })

it('pushes of a stop equal what GET returns at that time, on the other gateway', async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 50 * MINUTE_MS)
  const socket = await member.connected(1)
  const pushes = [next(socket, 'mining'), next(socket, 'wallet'), next(socket, 'activity')] as const
  await member.call('POST /api/mining/stop', { gateway: 0 })
  const [mining, wallet, activity] = await Promise.all(pushes)
  expect(mining).toMatchObject({ active: false, pendingRewards: '0.01666667', rewardAdded: true })
  const asked = await member.call('GET /api/mining/status')
  expect(timeless(mining)).toEqual(timeless(asked.body))
  expect(timeless(wallet)).toEqual(timeless((await member.call('GET /api/wallet')).body))
  const list = await member.call('GET /api/wallet/activity', { query: { limit: '20' } })
  expect(activity.items).toEqual(list.body)
  expect(activity.items).toHaveLength(2)
  expect(mining.asOf).toBeLessThan(asked.body.asOf)
})

it('a push of a running session equals what GET returns at that time', async () => {
  const socket = await member.connected()
  const push = next(socket, 'mining')
  await member.call('POST /api/mining/start')
  const { body } = await member.call('GET /api/mining/status')
  expect(timeless(await push)).toEqual(timeless(body))
  expect(body.active).toBe(true)
})

it('the pushed page of activity goes on where its cursor says', async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 25 * 20 * MINUTE_MS)
  const socket = await member.connected()
  const push = next(socket, 'activity')
  await member.call('POST /api/mining/stop')
  const { items, next: before } = await push
  expect(items).toHaveLength(20)
  const rest = await member.call('GET /api/wallet/activity', { query: { before: before ?? '' } })
  expect(rest.body).toHaveLength(5)
  expect(new Set([...items, ...rest.body].map(({ id }) => id)).size).toBe(25)
})

it('a member gets nobody else’s events', async () => {
  const other = await newMember(product)
  const heard: string[] = []
  const socket = await other.connected(1)
  socket.onAny((event) => heard.push(event))
  const mine = await member.connected(1)
  const push = next(mine, 'mining')
  await member.call('POST /api/mining/start')
  await push
  await pause(60)
  expect(heard).toEqual([])
  other.disconnect()
})

it('every device of a member gets the push', async () => {
  const device = await member.otherDevice(1)
  const sockets = [await member.connected(0), await device.connected(1)]
  const pushes = sockets.map((socket) => next(socket, 'mining'))
  await member.call('POST /api/mining/start')
  expect((await Promise.all(pushes)).map(({ active }) => active)).toEqual([true, true])
  device.disconnect()
})

it('gathers a burst of changes of one member into few pushes', async () => {
  const socket = await member.connected()
  let pushes = 0
  socket.on('mining', () => {
    pushes += 1
  })
  const { changes, close } = publisher()
  const id = member.user?.id ?? 0
  for (let i = 0; i < 100; i++) await changes.publishMembers([id], ['mining'])
  await expect.poll(() => pushes).toBeGreaterThan(0)
  await pause(100)
  expect(pushes).toBeLessThan(50)
  close()
})

it('a burst of changes of members without a socket reads nothing', async () => {
  const ids = await insertMembers(product.db, 3_000)
  const device = await member.otherDevice()
  const sockets = [await member.connected(0), await device.connected(0)]
  const { changes, close } = publisher()
  const waiting = async () => {
    const { rows } = await product.db.raw(
      `select count(*) as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].waiting
  }
  // Whoever reads a snapshot now must wait for this lock, and is seen waiting.
  const lock = await product.db.transaction()
  await lock.raw('lock table mining_stats in access exclusive mode')
  await changes.publishMembers(ids, ['mining', 'wallet'])
  const heard = new Promise((resolve) => sockets[1]?.once('signed-out', resolve))
  const memberId = member.user?.id ?? 0
  await changes.publish({ kind: 'signed-out', reason: 'password-reset', memberId: 0 })
  await changes.publishMembers(ids, ['wallet'])
  await pause(150)
  expect(await waiting()).toBe(0)
  await changes.publishMembers([memberId], ['mining'])
  await expect.poll(waiting).toBe(1)
  await lock.rollback()
  await changes.publish({ kind: 'signed-out', reason: 'password-reset', memberId })
  await heard
  device.disconnect()
  close()
})
