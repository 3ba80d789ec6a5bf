import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { type GatewayProcess, gatewayProcess } from '#scripts/testing/db/role-process'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 0 })
let gateway: GatewayProcess
let member: Visitor

beforeAll(async () => {
  gateway = gatewayProcess(product.config, await freePort())
  await gateway.ready
  product.urls.push(`http://127.0.0.1:${gateway.port}`)
  member = await newMember(product)
})
afterAll(() => gateway?.end('SIGTERM'))

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

it('a bundled gateway rejects an avatar by its content', async () => {
  const avatar = `data:image/jpeg;base64,${PNG.toString('base64')}`
  const answer = await member.call('PATCH /api/user/profile', { body: { avatar } })
  expect(answer).toMatchObject({ status: 400, body: { code: 'bad_input' } })
})

it('a bundled gateway accepts an identity document', async () => {
  await product.db('feature_flags').where({ name: 'kyc' }).update({ enabled: true })
  const form = new FormData()
  form.set('documentType', 'passport')
  form.set('document', new File([PNG], 'passport.png', { type: 'image/png' }))
  const answer = await member.fetch('/api/user/kyc', 0, { method: 'POST', body: form })
  expect(await answer.json()).toMatchObject({ kycStatus: 'pending' })
})

it('a bundled gateway streams an export and pushes over a socket', async () => {
  const body = { password: PASSWORD }
  expect((await member.call('POST /api/user/export', { body })).status).toBe(200)
  const socket = await member.connected()
  const pushed = new Promise((resolve) => socket.once('changed', resolve))
  await member.call('POST /api/mining/start')
  expect(await pushed).toMatchObject({ mining: { active: true } })
  member.disconnect()
})
