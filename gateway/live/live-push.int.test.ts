import { expect, it } from 'vitest'
import type { MemberUpdate } from '#contract/events'
import { MINUTE_MS } from '#rules/constants'
import { createLog } from '#runtime/log'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForRequests } from '#runtime/redis'
import { advance } from '#scripts/testing/db/clock'
import { insertMembers } from '#scripts/testing/db/members'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { type MemberSocket, newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, frozen: true })
const member = useMember(product)
/** Another publisher of changes, as a worker is. */
function publisher() {
  const redis = redisForRequests(product.config.redisUrl)
  const changes = new ChangeChannel(redis, product.config.redisPrefix, createLog('test', 'silent'))
  return { changes, close: () => redis.disconnect() }
}

/** The next pushed snapshot of this kind. */
const next = <K extends keyof MemberUpdate>(socket: MemberSocket, kind: K) =>
  new Promise<NonNullable<MemberUpdate[K]>>((resolve) => {
    socket.on('changed', (update) => {
      const snapshot = update[kind]
      if (snapshot !== undefined) resolve(snapshot)
    })
  })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const withoutTime = <T extends object>(snapshot: T) => ({ ...snapshot, asOf: 0 })

it('the pushes of a stop on the other gateway equal the GET snapshots', async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 50 * MINUTE_MS)
  const socket = await member.connected(1)
  const pushes = [next(socket, 'mining'), next(socket, 'wallet')] as const
  await member.call('POST /api/mining/stop', { gateway: 0 })
  const [mining, wallet] = await Promise.all(pushes)
  expect(mining).toMatchObject({ active: false, pendingRewards: '0.01666667', rewardAdded: true })
  const status = await member.call('GET /api/mining/status')
  expect(withoutTime(mining)).toEqual(withoutTime(status.body))
  expect(withoutTime(wallet)).toEqual(withoutTime((await member.call('GET /api/wallet')).body))
  expect(mining.asOf).toBeLessThan(status.body.asOf)
  expect(wallet.asOf).toBe(mining.asOf)
})

it.each<[string, (friend: Visitor, referralCode: string) => Promise<unknown>]>([
  ['registers with', (friend, referralCode) => friend.register({ referralCode })],
  [
    'applies',
    async (friend, referralCode) => {
      await friend.register()
      await friend.call('POST /api/referral/apply-code', { body: { referralCode } })
    },
  ],
])('who %s a code credits the intervals of its owner, who gets the wallet', async (_, join) => {
  await member.call('POST /api/mining/start')
  const referralCode = await member.referralCode()
  await advance(product.db, 50 * MINUTE_MS)
  const pushed = next(await member.connected(1), 'wallet')
  await join(new Visitor(product), referralCode)
  const { body } = await member.call('GET /api/wallet')
  expect(Number(body.tesp[0]?.balance)).toBeGreaterThan(0)
  expect(withoutTime(await pushed)).toEqual(withoutTime(body))
})

it('the push of a running session equals the GET snapshot', async () => {
  const socket = await member.connected()
  const push = next(socket, 'mining')
  await member.call('POST /api/mining/start')
  const { body } = await member.call('GET /api/mining/status')
  expect(withoutTime(await push)).toEqual(withoutTime(body))
  expect(body.active).toBe(true)
})

it('a member gets no events of other members', async () => {
  const other = await newMember(product)
  const events: string[] = []
  const socket = await other.connected(1)
  socket.onAny((event) => events.push(event))
  const mine = await member.connected(1)
  const push = next(mine, 'mining')
  await member.call('POST /api/mining/start')
  await push
  await pause(60)
  expect(events).toEqual([])
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

it('a burst of changes of one member is gathered into few pushes', async () => {
  const socket = await member.connected()
  let pushes = 0
  socket.on('changed', () => {
    pushes += 1
  })
  const { changes, close } = publisher()
  const id = member.user?.id ?? 0
  const burst = Array.from({ length: 100 }, () => changes.publishMembers([id], ['mining']))
  await Promise.all(burst)
  await expect.poll(() => pushes).toBeGreaterThan(0)
  await pause(100)
  expect(pushes).toBeLessThan(50)
  close()
})

it('changes of members without a socket cause no reads', async () => {
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
  // A snapshot read now waits for this lock, which pg_stat_activity shows.
  const lock = await product.db.transaction()
  await lock.raw('lock table mining_stats in access exclusive mode')
  await changes.publishMembers(ids, ['mining', 'wallet'])
  const signedOut = new Promise((resolve) => sockets[1]?.once('signed-out', resolve))
  const memberId = member.user?.id ?? 0
  await changes.publish({ kind: 'signed-out', reason: 'password-reset', memberId: 0 })
  await changes.publishMembers(ids, ['wallet'])
  await pause(150)
  expect(await waiting()).toBe(0)
  await changes.publishMembers([memberId], ['mining'])
  await expect.poll(waiting).toBe(1)
  await lock.rollback()
  await changes.publish({ kind: 'signed-out', reason: 'password-reset', memberId })
  await signedOut
  device.disconnect()
  close()
})
