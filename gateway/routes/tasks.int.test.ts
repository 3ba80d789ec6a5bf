import { expect, it } from 'vitest'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const COMPLETE = 'POST /api/tasks/complete'
const COMPLETED = 'GET /api/tasks/completed'
const product = useProduct({ gateways: 2, audited: true })
const member = useMember(product)

const complete = (taskId: unknown, gateway = 0) =>
  member.call(COMPLETE, { body: { taskId }, gateway })

it('a completed task is paid and listed', async () => {
  expect((await member.call(COMPLETED)).body).toEqual({ completedTasks: [] })
  expect(await complete('follow_twitter')).toMatchObject({
    status: 200,
    body: {
      success: true,
      message: 'You have received the reward for this task! Check your wallet balance.',
      reward: { amount: 2, type: 'TESP' },
    },
  })
  expect(await member.balances()).toMatchObject({ tesp: '2.00000000' })
  expect((await member.call(COMPLETED)).body.completedTasks).toMatchObject([
    { taskId: 'follow_twitter', completedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ])
})

it('the list holds the tasks of the specification with both languages and the links of the settings', async () => {
  const { body } = await member.call('GET /api/tasks')
  expect(body).toEqual({ tasks: expect.any(Array), changesInMs: null, asOf: expect.any(Number) })
  expect(body.tasks).toMatchObject([
    {
      id: 'follow_twitter',
      texts: {
        en: { title: 'Follow us on Twitter' },
        vi: { title: 'Theo dõi chúng tôi trên Twitter' },
      },
      reward: '2',
      link: 'https://twitter.com/',
      check: 'trust',
      state: 'open',
    },
    { id: 'join_telegram', reward: '1', platform: 'telegram', action: 'subscribe' },
  ])
})

it('40 parallel completions over two gateways pay once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => complete('join_telegram', i % 2)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const rejected = answers.find(({ status }) => status !== 200)
  expect(rejected).toMatchObject({
    status: 409,
    body: {
      message: 'You have already claimed the reward for this task',
      code: 'task_claimed',
    },
  })
  expect(await member.balances()).toMatchObject({ tesp: '1.00000000' })
})

it.each([
  'JOIN_TELEGRAM',
  ' join_telegram',
  'join_telegram:2026-01-01',
  'toString',
  '__proto__',
  'ｊoin_telegram',
])('the unknown task %j is rejected', async (taskId) => {
  expect(await complete(taskId)).toMatchObject({
    status: 404,
    body: { message: 'Task does not exist', code: 'task_unknown' },
  })
  expect(await member.balances()).toMatchObject({ tesp: '0.00000000' })
})

it.each(['', null, 7, ['join_telegram'], { id: 'join_telegram' }, 'x'.repeat(101)])(
  'the malformed task id %j is rejected',
  async (taskId) => {
    expect((await complete(taskId)).status).toBe(400)
  },
)
