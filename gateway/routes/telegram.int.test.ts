import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldTelegramRows, leaseUpdates, linkTelegram } from '#db/members/telegram'
import { inTransaction } from '#db/postgres/statements/transaction'
import { endTask } from '#operators/actions/tasks'
import { insertTask } from '#scripts/testing/db/tasks'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'
import { type BotApi, botApi, type Person } from '#scripts/testing/workers/bot-api'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { readTelegram } from '#workers/jobs/read-telegram'

const CHAT = '@tesp_news'
const telegram: BotApi = await botApi()
const product = useProduct({ gateways: 2, audited: true, env: telegram.env })
const withoutBot = useProduct()
const member = useMember(product)
let context: TestContext
let tasks = 0

beforeAll(async () => {
  context = await testContext(telegram.env)
})
afterEach(() => {
  telegram.fault = undefined
  telegram.isPressOld = false
  telegram.hold = undefined
})
afterAll(async () => {
  await context.close()
  await telegram.close()
})

/** A published task for members of the channel; returns its id. */
async function aChannelTask(db = product.db): Promise<string> {
  const id = `channel_${++tasks}`
  await insertTask(db, { id, check: 'telegram', chat: CHAT, platform: 'telegram' })
  return id
}
const linkOf = async (who: Visitor = member) => {
  const { body } = await who.call('POST /api/telegram/link')
  return /^https:\/\/t\.me\/tesp_test_bot\?start=([\w-]{32})$/.exec(body.url)?.[1] ?? ''
}
/** What the workers do each two seconds. */
const runWorker = () => readTelegram({ ...context, db: product.db, config: product.config }, {})
const lastTo = ({ id }: Person) => telegram.sent.findLast(({ chatId }) => chatId === id)?.text

/** Presses the link and the bot's button, as a person does. */
async function accept(person: Person, code: string): Promise<string | undefined> {
  telegram.write(person, `/start ${code}`)
  await runWorker()
  telegram.press(person)
  await runWorker()
  return lastTo(person)
}
const link = async (who: Visitor = member, person = telegram.person('mara_t')) => {
  await accept(person, await linkOf(who))
  return person
}
const claim = (taskId: string, who: Visitor = member, gateway = 0) =>
  who.call('POST /api/tasks/complete', { body: { taskId }, gateway })
const code = async (answer: Promise<{ body: unknown }>) =>
  ((await answer).body as { code?: string }).code

describe('a Telegram account', () => {
  it('an account is linked by a button that names the member, and unlinked by a press', async () => {
    expect((await member.call('GET /api/telegram')).body).toEqual({
      bot: 'tesp_test_bot',
      linked: null,
    })
    const person = telegram.person('mara_t')
    telegram.write(person, `/start ${await linkOf()}`)
    await runWorker()
    expect(lastTo(person)).toContain(`TESP Network member ${member.user?.username}?`)
    expect((await member.call('GET /api/telegram')).body.linked).toBeNull()
    telegram.press(person)
    await runWorker()
    expect((await member.call('GET /api/telegram')).body.linked).toMatchObject({ name: '@mara_t' })
    const { body } = await member.call('POST /api/telegram/unlink')
    expect(body.linked).toBeNull()
  })

  it('a link works once, not after 15 minutes, and not after a newer one', async () => {
    const first = await linkOf()
    const newer = await linkOf()
    expect(await accept(telegram.person(), first)).toContain('does not work any more')
    const person = telegram.person()
    expect(await accept(person, newer)).toContain('Linked.')
    expect(await accept(telegram.person(), newer)).toContain('does not work any more')
    const old = await linkOf()
    await linkOf(await newMember(product))
    await product.db.raw(
      `update telegram_accounts set "codeExpiresAt" = now() where "codeHash" is not null`,
    )
    expect(await accept(telegram.person(), old)).toContain('does not work any more')
    await deleteOldTelegramRows(product.db)
    expect(await product.db('telegram_accounts').whereNotNull('codeHash')).toEqual([])
    expect(await product.db('telegram_accounts').whereNull('sealed')).toEqual([])
    expect((await member.call('GET /api/telegram')).body.linked).not.toBeNull()
  })

  it('a press that is read twice is answered the same; nobody else gets that answer', async () => {
    const person = telegram.person()
    expect(await accept(person, await linkOf())).toContain('Linked.')
    telegram.press(person)
    await runWorker()
    expect(lastTo(person)).toContain('Linked.')
    const used = telegram.sent.findLast(({ chatId, button }) => chatId === person.id && button)
    const other = { id: telegram.person().id, name: '@other' }
    const code = used?.button?.replace('link:', '') ?? ''
    const result = await inTransaction(product.db, (tx) =>
      linkTelegram(tx, product.config.dataKey, code, other),
    )
    expect(result).toBe('expired')
  })

  it('a press that is read too late to be answered still shows that the account is linked', async () => {
    telegram.isPressOld = true
    const person = telegram.person()
    const before = telegram.calls.answerCallbackQuery ?? 0
    expect(await accept(person, await linkOf())).toContain('Linked.')
    expect(telegram.calls.answerCallbackQuery).toBe(before + 1)
  })

  it('an account belongs to one member, even if two link it at once', async () => {
    const other = await newMember(product)
    const person = await link(other)
    expect(await accept(person, await linkOf())).toContain('linked to another member')
    const codes = [await linkOf(), await linkOf(await newMember(product))]
    const racing = { id: telegram.person().id, name: '@racing' }
    const results = await Promise.all(
      codes.map((one) =>
        inTransaction(product.db, (tx) => linkTelegram(tx, product.config.dataKey, one, racing)),
      ),
    )
    expect(results.sort()).toEqual(['linked', 'taken'])
  })

  it('the bot answers in Vietnamese, and strangers get a hint', async () => {
    const person = telegram.person('lan', 'vi')
    telegram.write(person, 'xin chào')
    await runWorker()
    expect(lastTo(person)).toContain('Liên kết Telegram')
  })

  it('two workers that read at once answer a message once', async () => {
    const person = telegram.person()
    telegram.write(person, '/start')
    await Promise.all([runWorker(), runWorker(), runWorker()])
    await runWorker()
    expect(telegram.sent.filter(({ chatId }) => chatId === person.id)).toHaveLength(1)
  })

  /** Calls of a method are held from now on; resolves once there is one. */
  async function held(method: string, act: () => void) {
    let release = () => {}
    const before = telegram.calls[method] ?? 0
    telegram.hold = new Promise((resolve) => {
      release = resolve
    })
    act()
    await expect.poll(() => telegram.calls[method] ?? 0).toBeGreaterThan(before)
    return release
  }

  it('a worker keeps its lease while it answers, however long that takes', async () => {
    const person = telegram.person()
    telegram.write(person, '/start')
    let run: Promise<void> | undefined
    const read = await held('getUpdates', () => {
      run = runWorker()
    })
    await product.db('telegram_updates').update({ leasedUntil: product.db.fn.now() })
    const answered = await held('sendMessage', read)
    expect(await leaseUpdates(product.db, 60_000)).toBeUndefined()
    answered()
    await run
    expect(lastTo(person)).toContain('press Link Telegram')
  })

  it.each(['1 hour', '26 hours'])(
    'the bot reads on after the clock moved back by %s',
    async (by) => {
      await product.db.raw(
        `update telegram_updates set "leasedUntil" = now() + interval '1 minute' + ?::interval`,
        [by],
      )
      const person = telegram.person()
      telegram.write(person, '/start')
      await runWorker()
      expect(lastTo(person)).toContain('press Link Telegram')
    },
  )

  it('a worker whose lease was taken over answers nothing and moves nothing back', async () => {
    const person = telegram.person()
    telegram.write(person, '/start')
    let run: Promise<void> | undefined
    const read = await held('getUpdates', () => {
      run = runWorker()
    })
    const { nextUpdate } = await product.db('telegram_updates').first('nextUpdate')
    const further = { nextUpdate: nextUpdate + 1, leasedUntil: new Date(0) }
    await product.db('telegram_updates').update(further)
    read()
    await run
    expect(lastTo(person)).toBeUndefined()
    expect(await product.db('telegram_updates').first()).toMatchObject(further)
  })

  it('the account is exported and deleted with the member, and encrypted in the database', async () => {
    const person = await link()
    const { body } = await member.call('POST /api/user/export', { body: { password: PASSWORD } })
    expect(body.telegram).toEqual([
      { id: person.id, name: '@mara_t', linkedAt: expect.stringMatching(/Z$/) },
    ])
    const stored = () => product.db('telegram_accounts').where({ userId: member.user?.id })
    const [{ sealed, ...open }] = await stored()
    const text = `${JSON.stringify(open)} ${sealed.toString('latin1')}`
    expect(text).not.toContain(String(person.id))
    const confirmed = { password: PASSWORD, confirmation: member.user?.username }
    await member.call('POST /api/user/delete', { body: confirmed })
    expect(await stored()).toEqual([])
  })
})

describe('a task that needs a membership', () => {
  it('a member of the channel is paid, over two gateways once', async () => {
    const taskId = await aChannelTask()
    const person = await link()
    telegram.join(CHAT, person)
    const answers = await Promise.all([0, 1, 0, 1].map((gateway) => claim(taskId, member, gateway)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await member.balances()).toMatchObject({ tesp: '0.50000000' })
  })

  it.each([
    ['left', 'telegram_not_member'],
    ['kicked', 'telegram_not_member'],
    ['restricted', undefined],
    ['administrator', undefined],
    ['creator', undefined],
  ])('Telegram answers %s: %s', async (status, expected) => {
    const taskId = await aChannelTask()
    telegram.join(CHAT, await link(), status)
    expect(await code(claim(taskId))).toBe(expected)
  })

  it('without an account, and as a stranger to the channel, nothing is paid', async () => {
    const taskId = await aChannelTask()
    expect(await claim(taskId)).toMatchObject({
      status: 409,
      body: { code: 'telegram_not_linked' },
    })
    await link()
    expect(await code(claim(taskId))).toBe('telegram_not_member')
    expect(await member.balances()).toMatchObject({ tesp: '0.00000000' })
  })

  it('an account is paid once, even if another member links it later', async () => {
    const taskId = await aChannelTask()
    const first = await newMember(product)
    const person = await link(first)
    telegram.join(CHAT, person)
    expect((await claim(taskId, first)).status).toBe(200)
    await first.call('POST /api/telegram/unlink')
    await link(member, person)
    expect(await code(claim(taskId))).toBe('telegram_account_used')
    await product.db.raw(`update telegram_claims set "createdAt" = now() - interval '2 years'`)
    await deleteOldTelegramRows(product.db)
    expect(await code(claim(taskId))).toBe('telegram_account_used')
  })

  it.each([
    { status: 502, description: 'Bad Gateway' },
    { status: 429, description: 'Too Many Requests: retry after 5' },
    { status: 400, description: 'Bad Request: member list is inaccessible' },
    'silent' as const,
  ])('while Telegram answers %j the claim is refused and nothing changes', async (fault) => {
    const taskId = await aChannelTask()
    telegram.join(CHAT, await link())
    telegram.fault = fault
    const asked = telegram.calls.getChatMember ?? 0
    const refused = claim(taskId)
    if (fault === 'silent') {
      // Nothing waits for Telegram: the member's other commands, and the database.
      await expect.poll(() => telegram.calls.getChatMember ?? 0).toBeGreaterThan(asked)
      expect((await member.call('POST /api/mining/start')).status).toBe(200)
      const { rows } = await product.db.raw(
        `select count(*)::integer as open from pg_stat_activity
         where datname = current_database() and state like 'idle in transaction%'`,
      )
      expect(rows[0].open).toBe(0)
    }
    expect(await refused).toMatchObject({
      status: 409,
      body: {
        code: 'telegram_unavailable',
        message: 'Telegram could not be asked. Nothing was changed; try again later',
      },
    })
    expect(await product.db('telegram_claims').where({ taskId })).toEqual([])
    telegram.fault = undefined
    expect((await claim(taskId)).status).toBe(200)
  })

  it('who pressed before the end is paid, however slowly Telegram answers', async () => {
    const taskId = await aChannelTask()
    telegram.join(CHAT, await link())
    const before = telegram.calls.getChatMember ?? 0
    let release = () => {}
    telegram.hold = new Promise((resolve) => {
      release = resolve
    })
    const answer = claim(taskId)
    await expect.poll(() => telegram.calls.getChatMember ?? 0).toBeGreaterThan(before)
    await inTransaction(product.db, (tx) => endTask(tx, taskId))
    const late = claim(taskId, member, 1)
    expect(await code(late)).toBe('task_ended')
    release()
    expect((await answer).status).toBe(200)
  })

  it('claims of a member are limited, so that nobody makes us ask Telegram at will', async () => {
    const taskId = await aChannelTask()
    await link()
    const answers = await Promise.all(Array.from({ length: 25 }, () => claim(taskId)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  it('the code of a link is not stored in clear', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const { body } = await member.call('POST /api/telegram/link', { headers })
    expect(body.url).toContain('?start=')
    const stored = await product.db('idempotency_keys').where({ key: headers['Idempotency-Key'] })
    expect(stored).toEqual([])
  })

  it('without a bot members read why, and nothing is paid', async () => {
    const who = await newMember(withoutBot)
    expect((await who.call('GET /api/telegram')).body).toEqual({ bot: null, linked: null })
    expect(await who.call('POST /api/telegram/link')).toMatchObject({
      status: 409,
      body: { code: 'telegram_unavailable' },
    })
    expect(await code(claim(await aChannelTask(withoutBot.db), who))).toBe('telegram_not_linked')
  })
})
