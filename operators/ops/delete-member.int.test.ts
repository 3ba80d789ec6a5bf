import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listActions } from '#operators/actions/action-log'
import { operate } from '#operators/ops/testing/operate'
import { foundInRedis } from '#scripts/testing/gateway/find-personal-data'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, audited: true })
const member = useMember(product)

const id = () => member.user?.id ?? 0
const remove = (reason: string) => operate(product, 'members delete', [`id:${id()}`], { reason })

it('an operator deletes an account as its member could, also a frozen one', async () => {
  await operate(product, 'members freeze', [`id:${id()}`], { reason: 'a report' })
  expect(await remove('asked by mail')).toBe(`the account of member ${id()} is deleted`)
  const { db } = product
  expect(await db('users').where({ id: id() }).first()).toMatchObject({
    username: `deleted:${id()}`,
    deletedAt: expect.any(Date),
  })
  expect(await foundInRedis(product, [`:sign-ins:${id()} `])).toEqual([])
  expect((await new Visitor(product).login(member.user?.email)).status).toBe(401)
  expect((await listActions(db, 1))[0]).toMatchObject({
    action: 'members delete',
    memberId: id(),
    reason: 'asked by mail',
  })
  await expect(remove('again')).rejects.toThrow('no such member')
})

it('sockets of the account are told why they end, and so is a browser without one', async () => {
  const phone = await member.otherDevice()
  const socket = await member.connected()
  const reason = new Promise((done) => socket.once('signed-out', done))
  await remove('asked by mail')
  expect(await reason).toBe('account-deleted')
  expect(await phone.call('GET /api/user')).toMatchObject({
    status: 401,
    body: { params: { reason: 'account-deleted' } },
  })
})

it('a browser that is still signed in is forgotten with the account', async () => {
  const deleted = id()
  await remove('asked by mail')
  // The other gateway records the request of a session that it finds, and answers without waiting for that.
  expect((await member.call('GET /api/user', { gateway: 1 })).status).toBe(401)
  await sleep(300)
  expect(await foundInRedis(product, [`:sign-ins:${deleted} `])).toEqual([])
})

it('a reason that names the member deletes nothing', async () => {
  await expect(remove(`for ${member.user?.username}`)).rejects.toThrow('the user name')
  expect((await member.call('GET /api/user')).status).toBe(200)
})
