import { expect, it } from 'vitest'
import { useLog } from '#scripts/testing/gateway/kept-log'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const log = useLog()
const product = useProduct({ gateways: 2, workers: true, env: { LOG_LEVEL: 'debug' } })

/** What a role has logged about a request or a mail. */
const trail = (role: 'gateway' | 'workers', id: string) =>
  log.lines().filter((line) => line.name === role && JSON.stringify(line).includes(id))

it('a press is found by its id in the log of its gateway and of the gateway that pushes', async () => {
  const member = await newMember(product, 0)
  const socket = await member.connected(1)
  const pushed = new Promise((resolve) => socket.once('changed', resolve))
  const { headers } = await member.call('POST /api/mining/start')
  await pushed
  const id = headers.get('X-Request-Id') ?? ''
  const messages = () => trail('gateway', id).map(({ msg }) => msg)
  await expect.poll(messages).toContain('request answered')
  // Only the second gateway has a socket to push to.
  const batches = () => trail('gateway', id).filter(({ msg }) => msg === 'changes pushed')
  await expect.poll(batches).toContainEqual(expect.objectContaining({ pushes: 1 }))
  member.disconnect()
})

it('a mail is found by its id in the log of the worker that sends it', async () => {
  const body = { email: 'trail@test.example' }
  await new Visitor(product).call('POST /api/verify/send-otp', { body })
  const { id } = await product.db('mails').where({ recipient: body.email }).first('id')
  const messages = () => trail('workers', `"mailId":${id},`).map(({ msg }) => msg)
  await expect.poll(messages).toEqual(['mail sent'])
})
