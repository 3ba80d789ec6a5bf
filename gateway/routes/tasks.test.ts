import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'

const COMPLETE = 'POST /api/tasks/complete'
const COMPLETED = 'GET /api/tasks/completed'
let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ gateways: 2 })
})
afterAll(async () => {
  await expectCleanAudit(product)
  await product.close()
})
beforeEach(async () => {
  member = await newMember(product)
})

const complete = (taskId: unknown, gateway = 0) =>
  member.call(COMPLETE, { body: { taskId }, gateway })
const balance = async () => (await member.call('GET /api/wallet')).body.tesp[0]?.balance

it('asks a visitor to sign in', async () => {
  const visitor = new Visitor(product)
  const body = { taskId: 'join_telegram' }
  expect((await visitor.call(COMPLETE, { body })).status).toBe(401)
  expect((await visitor.call(COMPLETED)).status).toBe(401)
})

it('pays a task and remembers it', async () => {
  expect((await member.call(COMPLETED)).body).toEqual({ completedTasks: [] })
  expect(await complete('follow_twitter')).toMatchObject({
    status: 200,
    body: {
      success: true,
      message: 'You have received the reward for this task! Check your wallet balance.',
      reward: { amount: 2, type: 'TESP' },
    },
  })
  expect(await balance()).toBe('2.00000000')
  expect((await member.call(COMPLETED)).body.completedTasks).toMatchObject([
    { taskId: 'follow_twitter', completedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ])
})

it('pays it once, also for 40 claims at once over two gateways', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => complete('join_telegram', i % 2)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.find(({ status }) => status !== 200)
  expect(refused).toMatchObject({
    status: 409,
    body: {
      message: 'You have already claimed the reward for this task',
      code: 'task_claimed',
    },
  })
  expect(await balance()).toBe('1.00000000')
})

it.each([
  'JOIN_TELEGRAM',
  ' join_telegram',
  'join_telegram:2026-01-01',
  'toString',
  '__proto__',
  'ｊoin_telegram',
])('knows no task %j', async (taskId) => {
  expect(await complete(taskId)).toMatchObject({
    status: 404,
    body: { message: 'Task does not exist', code: 'task_unknown' },
  })
  expect(await balance()).toBe('0.00000000')
})

it.each(['', null, 7, ['join_telegram'], { id: 'join_telegram' }, 'x'.repeat(101)])(
  'refuses %j as a task',
  async (taskId) => {
    expect((await complete(taskId)).status).toBe(400)
  },
)
