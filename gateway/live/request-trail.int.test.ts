import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#runtime/config/free-port'
import { type RoleProcess, roleEnv, roleProcess } from '#scripts/testing/db/role-process'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 0 })
const DEBUG = { LOG_LEVEL: 'debug', HOST: '127.0.0.1' }
const roles: RoleProcess[] = []

beforeAll(async () => {
  for (const name of ['gateway', 'gateway', 'workers'] as const) {
    const port = await freePort()
    roles.push(roleProcess(name, { ...roleEnv(product.config), ...DEBUG, PORT: String(port) }))
    if (name === 'gateway') product.urls.push(`http://127.0.0.1:${port}`)
  }
  await Promise.all(roles.map((role) => role.ready))
})
afterAll(() => Promise.all(roles.map((role) => role.end('SIGTERM'))))

const [FIRST, SECOND, WORKERS] = [0, 1, 2]
/** The messages that a process has logged about a request or a mail. */
function trail(role: number, id: string): unknown[] {
  const lines = (roles[role]?.output() ?? '').split('\n').filter((line) => line.includes(id))
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line).msg)
}

it('a press is found by its id in the log of its gateway and of the gateway that pushes', async () => {
  const member = await newMember(product, FIRST)
  const socket = await member.connected(SECOND)
  const pushed = new Promise((resolve) => socket.once('changed', resolve))
  const { headers } = await member.call('POST /api/mining/start')
  await pushed
  const id = headers.get('X-Request-Id') ?? ''
  await expect.poll(() => trail(FIRST, id)).toContain('request answered')
  await expect.poll(() => trail(SECOND, id)).toContain('changes pushed')
  member.disconnect()
})

it('a mail is found by its id in the log of the worker that sends it', async () => {
  const body = { email: 'trail@test.example' }
  await new Visitor(product).call('POST /api/verify/send-otp', { body })
  const { id } = await product.db('mails').where({ recipient: body.email }).first('id')
  await expect.poll(() => trail(WORKERS, `"mailId":${id},`)).toEqual(['mail sent'])
})
