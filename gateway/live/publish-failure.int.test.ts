import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { type GatewayProcess, gatewayProcess } from '#scripts/testing/db/role-process'
import { type Product, startProduct } from '#scripts/testing/gateway/product'
import { newMember } from '#scripts/testing/gateway/visitor'

/** A Redis user that may do everything except PUBLISH. */
const USER = `no-publish-${randomBytes(6).toString('hex')}`
let product: Product
let gateway: GatewayProcess
let admin: Redis

beforeAll(async () => {
  product = await startProduct({ gateways: 0 })
  admin = new Redis(product.config.redisUrl)
  await admin.acl('SETUSER', USER, 'on', '>secret', '~*', '&*', '+@all', '-publish')
  const url = new URL(product.config.redisUrl)
  url.username = USER
  url.password = 'secret'
  gateway = gatewayProcess({ ...product.config, redisUrl: url.href }, await freePort())
  await gateway.ready
  product.urls.push(`http://127.0.0.1:${gateway.port}`)
})
afterAll(async () => {
  await gateway.end('SIGTERM')
  await admin.acl('DELUSER', USER)
  admin.disconnect()
  await product.close()
})

it('a logout whose change cannot be published succeeds and closes its sockets', async () => {
  const member = await newMember(product)
  const socket = await member.connected()
  const closed = new Promise((resolve) => socket.once('signed-out', resolve))
  expect(await member.call('POST /api/logout')).toMatchObject({ status: 200, body: { ok: true } })
  await expect.poll(() => gateway.output()).toMatch(/NOPERM.*"msg":"change not published/)
  expect(await closed).toBe('expired')
})
