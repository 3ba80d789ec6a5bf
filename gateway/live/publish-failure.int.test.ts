import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { useLog } from '#scripts/testing/gateway/kept-log'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { newMember } from '#scripts/testing/gateway/visitor'

/** A Redis user that may do everything except PUBLISH. */
const USER = `no-publish-${randomBytes(6).toString('hex')}`
let product: Product
let admin: Redis

const log = useLog()
beforeAll(async () => {
  const { redisUrl } = inject('testServers')
  admin = new Redis(redisUrl)
  await admin.acl('SETUSER', USER, 'on', '>secret', '~*', '&*', '+@all', '-publish')
  const url = new URL(redisUrl)
  url.username = USER
  url.password = 'secret'
  product = await startProduct({ env: { REDIS_URL: url.href, LOG_LEVEL: 'info' } })
})
afterAll(async () => {
  await product?.close()
  await admin.acl('DELUSER', USER)
  admin.disconnect()
})

it('a logout whose change cannot be published succeeds and closes its sockets', async () => {
  const member = await newMember(product)
  const socket = await member.connected()
  const closed = new Promise((resolve) => socket.once('signed-out', resolve))
  expect(await member.call('POST /api/logout')).toMatchObject({ status: 200, body: { ok: true } })
  await expect.poll(log.text).toMatch(/NOPERM.*"msg":"change not published/)
  expect(await closed).toBe('expired')
})
