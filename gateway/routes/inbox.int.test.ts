import { describe, expect, it } from 'vitest'
import { writeInbox } from '#db/inbox/inbox'
import { inTransaction } from '#db/postgres/statements/transaction'
import { addAnnouncement, endAnnouncement } from '#operators/actions/announcements'
import { publishChange } from '#operators/ops/redis'
import { correctBalance } from '#operators/ops/testing/correct-balance'
import type { Announced, InboxState } from '#rules/inbox'
import { isOneServer } from '#scripts/testing/db/database'
import { growTeam } from '#scripts/testing/gateway/grow-team'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { type MemberSocket, newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2 })
const member = useMember(product)

const texts = { en: 'Hello', vi: 'Xin chào' }
const add = () =>
  inTransaction(product.db, (tx) =>
    addAnnouncement(tx, {
      kind: 'urgent',
      until: new Date(Date.now() + 60_000).toISOString(),
      texts,
    }),
  )
const end = (id: number) => inTransaction(product.db, (tx) => endAnnouncement(tx, id))
const broadcast = () => publishChange({ config: product.config }, { kind: 'announcements' })

/** Half as long as an answer stays in memory without any change. */
const IN_MEMORY = { timeout: 30_000 }

/** Polls the second gateway with the ETag of an answer. */
const poller = async (answer: Headers) => {
  const headers = { 'If-None-Match': answer.get('ETag') ?? '' }
  return async () => (await member.fetch('/api/inbox/state', 1, { headers })).status
}

const nextInbox = (socket: MemberSocket) =>
  new Promise<InboxState>((resolve) => socket.on('changed', ({ inbox }) => inbox && resolve(inbox)))
const nextAnnounced = (socket: MemberSocket, id: number, wanted = true) =>
  new Promise<Announced>((resolve) =>
    socket.on('announced', (announced) => {
      if (announced.announcements.some((one) => one.id === id) === wanted) resolve(announced)
    }),
  )

describe('the inbox', () => {
  it('a read on one device reaches the other gateway, and is done once', async () => {
    await growTeam(member, 2)
    const { body: page } = await member.call('GET /api/inbox')
    expect(page.rows.map(({ kind }) => kind)).toEqual(['member-joined', 'member-joined'])
    const socket = await (await member.otherDevice(1)).connected(1)
    const pushed = nextInbox(socket)
    const body = { row: page.rows[0]?.id, announcement: 0 }
    await member.call('POST /api/inbox/read', { body })
    expect(await pushed).toMatchObject({ newest: expect.any(Number) })
    const state = await member.call('GET /api/inbox/state')
    // Signing in on the other device is a fact too, which came after the page was read.
    expect(state.body).toMatchObject({ unread: 1 })
    await member.call('POST /api/inbox/read', { body })
    expect((await member.call('GET /api/inbox/state')).body).toMatchObject({ unread: 1 })
  })

  it('a member who joins by a code is pushed to its owner', async () => {
    const referralCode = await member.referralCode()
    const pushed = nextInbox(await member.connected(1))
    const friend = await newMember(product)
    await friend.call('POST /api/referral/apply-code', { body: { referralCode } })
    expect(await pushed).toMatchObject({ unread: 1 })
  })

  it('a correction is one row with its exact amount and reason', async () => {
    await inTransaction(product.db, (tx) =>
      correctBalance(tx, {
        member: `id:${member.user?.id}`,
        token: 'TESP',
        amount: '12.00000001',
        reason: 'an outage',
      }),
    )
    expect((await member.call('GET /api/inbox')).body.rows).toMatchObject([
      {
        kind: 'corrected',
        facts: { token: 'TESP', amount: '12.00000001', reason: 'an outage' },
      },
    ])
  })

  it('the sign-in of a new browser names its device, that of a known one writes nothing', async () => {
    const device = new Visitor(product, 0, {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    device.user = member.user
    await device.login()
    await device.login()
    const { rows } = (await member.call('GET /api/inbox')).body
    expect(rows.map(({ kind, facts }) => ({ kind, facts }))).toEqual([
      { kind: 'new-browser', facts: { device: 'Firefox on Linux' } },
    ])
  })

  // Citus has no triggers on distributed tables.
  it.runIf(isOneServer())(
    'a sign-in whose transaction is killed leaves neither mail nor row, and the next one each',
    async () => {
      const { db } = product
      const device = new Visitor(product, 0)
      device.user = member.user
      const written = async () => ({
        mails: await db('mails').count().first(),
        rows: await db('inbox').where({ userId: member.user?.id }).pluck('kind'),
      })
      const before = await written()
      await db.raw(`
      create function kill_writer() returns trigger language plpgsql as
        $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create trigger kill_writer after insert on inbox
        for each row when (new.kind = 'new-browser') execute function kill_writer()`)
      expect((await device.login()).status).toBe(503)
      await db.raw('drop function kill_writer cascade')
      expect(await written()).toEqual(before)
      await device.login()
      expect(await written()).toMatchObject({ rows: [...before.rows, 'new-browser'] })
    },
  )

  it('a poll is answered 304 until something is written, on every gateway', async () => {
    const { headers } = await member.call('GET /api/inbox/state', { gateway: 1 })
    const status = await poller(headers)
    expect(await status()).toBe(304)
    const memberId = member.user?.id ?? 0
    await inTransaction(product.db, (tx) =>
      writeInbox(tx, { memberId, kind: 'new-browser', fact: 'poll', facts: { device: 'a' } }),
    )
    await expect.poll(status, IN_MEMORY).toBe(200)
  })
})

describe('an announcement', () => {
  it('reaches the sockets of every gateway by one message, and its end too', async () => {
    const other = await newMember(product)
    const sockets = [await member.connected(0), await other.connected(1)]
    const id = await add()
    const arrived = sockets.map((socket) => nextAnnounced(socket, id))
    await broadcast()
    for (const { announcements } of await Promise.all(arrived)) {
      expect(announcements).toContainEqual(expect.objectContaining({ id, texts, kind: 'urgent' }))
    }
    const gone = sockets.map((socket) => nextAnnounced(socket, id, false))
    await end(id)
    await broadcast()
    await Promise.all(gone)
    other.disconnect()
  })

  it('reaches every socket without Redis too, once', async () => {
    const socket = await member.connected(1)
    const pushes: Announced[] = []
    socket.on('announced', (announced) => pushes.push(announced))
    const id = await add()
    await nextAnnounced(socket, id)
    await broadcast()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const about = pushes.filter(({ announcements }) => announcements.some((one) => one.id === id))
    expect(about).toHaveLength(1)
    await end(id)
  })

  it('changes the answer to polls within five seconds, and is read once for all devices', async () => {
    const { headers } = await member.call('GET /api/inbox/state', { gateway: 1 })
    const status = await poller(headers)
    expect(await status()).toBe(304)
    const id = await add()
    await expect.poll(status, IN_MEMORY).toBe(200)
    const body = { row: 0, announcement: id }
    await member.call('POST /api/inbox/read', { body })
    expect((await member.call('GET /api/inbox/state')).body).toMatchObject({ readAnnouncement: id })
    await end(id)
  })
})
