import { expect, it } from 'vitest'
import { taskCommands } from '#operators/ops/tasks'
import { operate } from '#operators/ops/testing/operate'
import { aTask } from '#scripts/testing/db/tasks'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import type { MemberSocket } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, audited: true })
const member = useMember(product)
const because = { reason: 'a campaign' }

const add = (fields: object) =>
  operate(product, 'tasks add', [JSON.stringify(aTask({ ...fields }))], because)
const edit = (id: string, fields: object) =>
  operate(product, 'tasks edit', [id, JSON.stringify(fields)], because)
const publish = (id: string) => operate(product, 'tasks publish', [id], because)
const end = (id: string) => operate(product, 'tasks end', [id], because)
const show = async (id: string) =>
  JSON.parse(await operate(product, 'tasks show', [id], { json: true }))
const listed = async (id: string) =>
  (await member.call('GET /api/tasks')).body.tasks.find((task) => task.id === id)
const complete = (taskId: string, code?: string) =>
  member.call('POST /api/tasks/complete', { body: { taskId, ...(code && { code }) } })

const pushed = (socket: MemberSocket) =>
  new Promise<void>((resolve) => {
    socket.on('tasks', resolve)
  })

it('a published, changed and ended task reaches the sockets of both gateways', async () => {
  expect(await add({ id: 'pushed' })).toBe('pushed is a draft')
  expect(await listed('pushed')).toBeUndefined()
  const sockets = [await member.connected(0), await member.connected(1)]
  for (const [act, says, reward] of [
    [publish, 'pushed is published', '0.5'],
    [(id: string) => edit(id, { reward: '0.25' }), 'pushed: reward changed', '0.25'],
    [end, 'pushed has ended', undefined],
  ] as const) {
    const pushes = sockets.map(pushed)
    expect(await act('pushed')).toBe(says)
    await Promise.all(pushes)
    expect((await listed('pushed'))?.reward).toBe(reward)
  }
})

it.each([
  [{}, '0.5 TESP, once for each member?'],
  [{ dailyLimit: 1, cap: 9 }, '0.5 TESP, once a day for each member, at most 9 claims in all?'],
  [{ dailyLimit: 3 }, '0.5 TESP, 3 times a day for each member?'],
])('the question before a publication of %j says how often it pays', async (fields, says) => {
  const id = `asked_${Object.keys(fields).join('_').toLowerCase()}`
  await add({ id, ...fields })
  const { db, config } = product
  const said = { reason: 'because', operator: 'ada', options: because }
  const call = { db, config, args: [id], ...said }
  const { asks } = await taskCommands['tasks publish'].act(call)
  expect(asks).toContain(`: ${says}`)
})

it('a task pays until its cap, which is pushed and said', async () => {
  await add({ id: 'two', cap: 2, dailyLimit: 3, check: 'code', code: 'mint' })
  await publish('two')
  expect(await listed('two')).toEqual({
    ...aTask({ id: 'two' }),
    dailyLimit: 3,
    check: 'code',
    state: 'open',
  })
  expect(await complete('two', 'mind')).toMatchObject({
    status: 400,
    body: { message: 'The code word is not correct', code: 'task_code_wrong' },
  })
  expect((await complete('two', 'mint')).status).toBe(200)
  const push = pushed(await member.connected(1))
  expect((await complete('two', 'mint')).status).toBe(200)
  await push
  expect(await listed('two')).toMatchObject({ state: 'full' })
  const other = await member.otherDevice()
  await other.becomeNewMember()
  const refused = { body: { taskId: 'two', code: 'mint' } }
  expect(await other.call('POST /api/tasks/complete', refused)).toMatchObject({
    status: 409,
    body: { message: 'All rewards of this task have been claimed', code: 'task_full' },
  })
  expect(await show('two')).toMatchObject({ claimed: 2, claims: 2, code: 'mint' })
  await edit('two', { cap: 3 })
  expect((await other.call('POST /api/tasks/complete', refused)).status).toBe(200)
})

it('wrong code words are limited, even if they are sent in parallel', async () => {
  await add({ id: 'guessed', check: 'code', code: 'mint' })
  await publish('guessed')
  const guesses = Array.from({ length: 30 }, (_, n) => complete('guessed', `guess ${n}`))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect((await complete('guessed', 'mint')).status).toBe(429)
  expect(await member.balances()).toMatchObject({ tesp: '0.00000000' })
})

const texts = aTask().texts
const withTitle = (title: string) => ({ texts: { ...texts, en: { ...texts.en, title } } })
const REFUSED: [object, string][] = [
  [{ reward: '-1' }, 'The reward must be more than 0'],
  [{ reward: 0 }, 'The reward must be more than 0'],
  [{ reward: '0.123456789' }, 'The reward may have at most 8 decimals'],
  [{ reward: '1e3' }, 'The reward must be a decimal such as 0.5'],
  [
    { starts: '2099-01-02T00:00:00Z', ends: '2099-01-01T00:00:00Z' },
    'The task must end after it starts',
  ],
  [{ ends: '2026-02-31' }, 'The end must be a time such as 2026-12-31T18:00:00Z, or null'],
  [{ texts: { en: texts.en } }, 'The texts in vi are missing'],
  [{ texts: { ...texts, fr: texts.en } }, 'The texts are in en and vi, not in fr'],
  [withTitle(' '), 'The title in en is missing'],
  [withTitle('x'.repeat(81)), 'The title in en may have at most 80 characters'],
  [withTitle('<script>alert(1)</script>'), 'The title in en must not contain markup or script'],
  [withTitle('a\nb'), 'The title in en must be one line without invisible characters'],
  [{ link: 'javascript:alert(1)' }, 'The link must be a web address that begins with https://'],
  [{ link: 'http://a.example/' }, 'The link must be a web address that begins with https://'],
  [{ dailyLimit: 0 }, 'The dailyLimit must be a whole number from 1 on, or null'],
  [{ cap: 1.5 }, 'The cap must be a whole number from 1 on, or null'],
  [{ platform: 'radio' }, 'The platform must be one of twitter, telegram, youtube, website'],
  [{ check: 'facebook' }, 'The check must be one of trust, code, telegram'],
  [
    { check: 'telegram' },
    'The check telegram needs a chat such as "@channel", or "-100…" for a private one',
  ],
  [
    { check: 'telegram', chat: 'https://t.me/x' },
    'The check telegram needs a chat such as "@channel", or "-100…" for a private one',
  ],
  [
    { check: 'telegram', chat: '@tesp_news', dailyLimit: 1 },
    'A membership is paid once: leave dailyLimit out',
  ],
  [{ chat: '@tesp_news' }, 'A chat needs the check telegram'],
  [{ check: 'code' }, 'The check code needs a code word'],
  [{ code: 'mint' }, 'A code word needs the check code'],
  [{ prize: 1 }, 'A task has no field prize; it has '],
  [{ id: 'a-b' }, 'The id must have 1 to 64 letters a to z, digits or underscores'],
]

it.each(REFUSED)('the definition %j is refused with one sentence', async (fields, sentence) => {
  const [tasks, log] = [product.db('tasks').count(), product.db('operator_actions').count()]
  const before = [await tasks.clone(), await log.clone()]
  const id = { id: 'refused' }
  await expect(add({ ...id, ...fields })).rejects.toThrow(sentence)
  if (!('id' in fields)) await expect(edit('follow_twitter', fields)).rejects.toThrow(sentence)
  expect([await tasks, await log]).toEqual(before)
})

it('commands that come too late are refused and change nothing', async () => {
  await add({ id: 'late' })
  await expect(add({ id: 'late' })).rejects.toThrow('There is a task late already')
  await expect(end('late')).rejects.toThrow('The task late is a draft')
  await expect(publish('nothing')).rejects.toThrow('There is no such task')
  await edit('late', { link: null })
  await expect(publish('late')).rejects.toThrow('The task needs a link')
  await edit('late', { link: 'https://a.example/', ends: '2099-01-01T00:00:00Z' })
  await publish('late')
  await expect(publish('late')).rejects.toThrow('The task late was published before')
  await expect(edit('late', { ends: '2020-01-01T00:00:00Z' })).rejects.toThrow(
    'must be in the future',
  )
  await expect(edit('late', { cap: 5 })).rejects.toThrow('A cap can be set only in a draft')
  await expect(edit('late', { dailyLimit: 5 })).rejects.toThrow('changed only in a draft')
  await expect(edit('late', { id: 'other' })).rejects.toThrow('The id of a task cannot be changed')
  await end('late')
  await expect(end('late')).rejects.toThrow('The task late is ended already')
  await expect(edit('late', { reward: 1 })).rejects.toThrow(
    'The task late has ended; add another one',
  )
})

it('the end of a task that has not started makes it a draft again', async () => {
  await add({ id: 'planned', starts: '2099-01-01T00:00:00Z' })
  await publish('planned')
  expect(await end('planned')).toBe('planned is a draft again')
})

it('a claimed task whose start was moved does not become a draft again', async () => {
  await add({ id: 'moved' })
  await publish('moved')
  expect((await complete('moved')).status).toBe(200)
  await edit('moved', { starts: '2099-01-01T00:00:00Z' })
  expect(await end('moved')).toBe('moved has ended')
})

it('a change asks for the fields that differ, without texts and code word', async () => {
  const { db, config } = product
  const asks = async (fields: object) => {
    const args = ['asked', JSON.stringify(fields)]
    const said = { reason: 'because', operator: 'ada', options: {} }
    const call = { db, config, args, ...said }
    return (await taskCommands['tasks edit'].act(call)).asks
  }
  await add({ id: 'asked', ends: '2099-01-01T00:00:30Z', check: 'code', code: 'mint' })
  const { en, vi } = texts
  const same = { en: { description: en.description, title: en.title }, vi }
  expect(
    await asks({ texts: same, reward: '0.50', cap: null, ends: '2099-01-01T07:00:30+07:00' }),
  ).toBeNull()
  expect(await asks({ ...withTitle('New'), code: 'basil', cap: 5, ends: null })).toBe(
    'Change texts, cap from none to 5, code, ends from 2099-01-01T00:00:30.000Z to none of the task asked?',
  )
})

it('actions are logged without the code word', async () => {
  await add({ id: 'logged', check: 'code', code: 'mint' })
  await edit('logged', { code: 'basil', reward: '2' })
  const lines = await product.db('operator_actions').orderBy('id', 'desc').limit(2)
  expect(lines).toMatchObject([
    { action: 'tasks edit', details: { task: 'logged', changed: 'code, reward', reward: '2' } },
    { action: 'tasks add', details: { task: 'logged', reward: '0.5', cap: null } },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/mint|basil/)
})
