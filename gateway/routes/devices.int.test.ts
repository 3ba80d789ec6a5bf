import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockMember } from '#db/members/execute-once'
import { inTransaction } from '#db/postgres/statements/transaction'
import { DeviceList } from '#gateway/services/device-list'
import { waitingForMembers } from '#scripts/testing/db/statements/waiting-for-rows'
import { mailsTo } from '#scripts/testing/gateway/mails-to'
import { stranger } from '#scripts/testing/gateway/strangers'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:132.0) Gecko/20100101 Firefox/132.0'
const product = useProduct({ gateways: 2, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const member = useMember(product)
let phone: Visitor

beforeEach(async () => {
  phone = new Visitor(product, 1, { 'User-Agent': FIREFOX, 'X-Forwarded-For': '203.0.113.9' })
  phone.user = member.user
  await phone.login()
})
afterEach(() => phone.disconnect())

const listOf = async (visitor: Visitor) =>
  (await visitor.call('GET /api/user/sign-ins')).body.signIns
const isSignedIn = async (visitor: Visitor) => (await visitor.call('GET /api/user')).status === 200
const end = (visitor: Visitor, signInId: string, password = PASSWORD) =>
  visitor.call('POST /api/user/sign-ins/end', { body: { signInId, password } })
const endOthers = (visitor: Visitor, password = PASSWORD) =>
  visitor.call('POST /api/user/sign-ins/end-others', { body: { password } })
const ownId = async (visitor: Visitor) =>
  (await listOf(visitor)).find(({ current }) => current)?.id ?? ''
/** Opens a socket; `reason` resolves when the gateway ends its sign-in. */
const openSocket = async (visitor: Visitor) => {
  const socket = await visitor.connected()
  const reason = new Promise<string>((resolve) => socket.once('signed-out', resolve))
  return { socket, reason }
}

describe('GET /api/user/sign-ins', () => {
  it('a member sees device, network and times of each sign-in, and which one is theirs', async () => {
    const before = Date.now() - 60_000
    const signIns = await listOf(phone)
    expect(signIns).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{43}$/),
        device: 'Firefox on Windows',
        network: '203.0.x.x',
        signedInAt: expect.any(String),
        lastSeenAt: expect.any(String),
        current: true,
      },
      expect.objectContaining({ device: 'Unknown device', network: '127.0.x.x', current: false }),
    ])
    for (const { signedInAt, lastSeenAt } of signIns) {
      expect(Date.parse(signedInAt)).toBeGreaterThan(before)
      expect(Date.parse(lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(signedInAt))
    }
    expect((await listOf(member)).map(({ current }) => current)).toEqual([false, true])
  })

  it('the list contains no cookie value', async () => {
    const text = JSON.stringify(await listOf(phone))
    for (const { jar } of [phone, member]) expect(text).not.toContain(jar.get('tesp'))
  })

  it('a sign-out and a new sign-in of the same browser leave one entry', async () => {
    await phone.call('POST /api/logout')
    expect(await listOf(member)).toHaveLength(1)
    for (let i = 0; i < 3; i++) await phone.login()
    expect(await listOf(member)).toHaveLength(2)
  })

  it('a member does not see sign-ins of others', async () => {
    const other = stranger(product)
    await other.register()
    expect(await listOf(other)).toHaveLength(1)
  })
})

describe('POST /api/user/sign-ins/end', () => {
  it('an ended sign-in and its sockets end on every gateway, and the others stay', async () => {
    const { reason } = await openSocket(phone)
    const id = (await listOf(member)).find(({ current }) => !current)?.id ?? ''
    expect(await end(member, id)).toMatchObject({
      status: 200,
      body: { success: true, message: 'The sign-in has ended' },
    })
    expect(await isSignedIn(phone)).toBe(false)
    expect(await isSignedIn(member)).toBe(true)
    expect(await reason).toBe('ended')
    expect(await listOf(member)).toHaveLength(1)
  })

  it('a browser without a socket is told that another device ended its sign-in', async () => {
    const reasonOf = async (visitor: Visitor) => (await visitor.call('GET /api/user')).body
    const told = { code: 'not_signed_in', params: { reason: 'ended' } }
    await end(member, await ownId(phone))
    expect(await reasonOf(phone)).toMatchObject(told)
    await phone.login()
    await endOthers(member)
    expect(await reasonOf(phone)).toMatchObject(told)
    await phone.login()
    await phone.call('POST /api/logout')
    expect(await reasonOf(phone)).not.toHaveProperty('params')
  })

  it('a sign-in that is ended before its browser has the answer stays ended', async () => {
    const known = (await listOf(member)).map(({ id }) => id)
    const newer = new Visitor(product)
    newer.user = member.user
    const limit = vi.spyOn(DeviceList.prototype, 'limit').mockImplementationOnce(async () => {
      const [added] = (await listOf(member)).filter(({ id }) => !known.includes(id))
      expect((await end(member, added?.id ?? '')).status).toBe(200)
    })
    expect((await newer.login()).status).toBe(200)
    expect(limit).toHaveBeenCalledOnce()
    limit.mockRestore()
    expect(await isSignedIn(newer)).toBe(false)
  })

  it('a repeated request and an unknown id get the same answer', async () => {
    const id = await ownId(phone)
    const first = await end(member, id)
    expect((await end(member, id)).body).toEqual(first.body)
    expect((await end(member, 'unknown')).body).toEqual(first.body)
  })

  it("another member's sign-in is not ended", async () => {
    const other = stranger(product)
    await other.register()
    expect((await end(other, await ownId(phone))).status).toBe(200)
    expect(await isSignedIn(phone)).toBe(true)
  })

  it('a wrong password ends nothing and is counted', async () => {
    const id = await ownId(phone)
    for (let i = 0; i < 10; i++) {
      expect(await end(member, id, 'a wrong one')).toMatchObject({
        status: 403,
        body: { code: 'wrong_password' },
      })
    }
    expect((await end(member, id)).status).toBe(429)
    expect(await isSignedIn(phone)).toBe(true)
    // A thief with one sign-in cannot keep the owner from ending it.
    expect((await end(phone, await ownId(member))).status).toBe(200)
    expect(await isSignedIn(member)).toBe(false)
  })

  it('a repetition after a fault ends the pushes to a device whose sign-in has ended', async () => {
    const signInId = await ownId(phone)
    const { id: userId } = member.user ?? {}
    await phone.call('POST /api/logout')
    const row = { userId, signInName: signInId, device: 'x', language: 'en', epoch: 0 }
    await product
      .db('push_subscriptions')
      .insert({ ...row, endpointHash: signInId, sealed: Buffer.from('x') })
    expect((await end(member, signInId)).status).toBe(200)
    expect(await product.db('push_subscriptions').where({ userId })).toEqual([])
  })

  it('a sign-in that is ended during requests that change its session stays ended', async () => {
    for (let round = 0; round < 5; round++) {
      const thief = await member.otherDevice()
      const id = await ownId(thief)
      const email = `round${round}@test.example`
      const requests = Array.from({ length: 20 }, () =>
        thief.call('POST /api/password/forgot', { body: { email } }),
      )
      await Promise.all([...requests, end(member, id)])
      expect(await isSignedIn(thief)).toBe(false)
    }
  })
})

describe('POST /api/user/sign-ins/end-others', () => {
  it('all other sign-ins and their sockets end; this browser and its sockets stay', async () => {
    const { reason } = await openSocket(phone)
    const { socket } = await openSocket(member)
    expect(await endOthers(member)).toMatchObject({
      status: 200,
      body: { success: true, message: 'All other sign-ins have ended' },
    })
    expect(await reason).toBe('ended')
    expect(await isSignedIn(phone)).toBe(false)
    expect(await isSignedIn(member)).toBe(true)
    expect(socket.connected).toBe(true)
    expect(await listOf(member)).toMatchObject([{ current: true }])
  })

  it('this browser stays a known one: strangers cannot use up its tries', async () => {
    await endOthers(member)
    await member.call('POST /api/logout')
    for (let i = 0; i < 10; i++) await new Visitor(product).login(member.user?.username, 'guess')
    expect((await member.login()).status).toBe(200)
  })

  it('the session cookie of this browser still ends with the browser', async () => {
    const { headers } = await endOthers(member)
    const cookies = headers.getSetCookie().filter((line) => line.startsWith('tesp='))
    expect(cookies).not.toEqual([])
    for (const cookie of cookies) expect(cookie).not.toMatch(/expires|max-age/i)
    expect((await endOthers(member)).status).toBe(200)
  })

  it('a wrong password ends nothing', async () => {
    expect((await endOthers(member, 'a wrong one')).status).toBe(403)
    expect(await isSignedIn(phone)).toBe(true)
  })
})

describe('mails about sign-ins from a new browser', () => {
  const noticesTo = async (email: string | undefined) => {
    const mails = await mailsTo(product, email)
    return mails.filter(({ subject }) => subject.includes('new browser'))
  }

  it('a sign-in from a new browser sends a mail with device, network and time', async () => {
    const [mail, ...more] = await noticesTo(member.user?.email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('TESP Network: sign-in from a new browser')
    expect(mail?.text).toMatch(
      /Firefox on Windows\n {4}network 203\.0\.x\.x\n {4}\d{4}-\d\d-\d\d \d\d:\d\d UTC\n/,
    )
  })

  it('a sign-in whose member deletes the account meanwhile sends no mail', async () => {
    const { id = 0, email } = member.user ?? {}
    const before = await noticesTo(email)
    const browser = stranger(product)
    let login: Promise<{ status: number }> | undefined
    await inTransaction(product.db, async (tx) => {
      await lockMember(tx, id)
      login ??= browser.login(member.user?.username)
      await expect.poll(() => waitingForMembers(product.db)).toBe(1)
      // As a deletion does.
      await tx('users').where({ id }).increment('authEpoch')
    })
    await login
    expect(await isSignedIn(browser)).toBe(false)
    expect(await noticesTo(email)).toEqual(before)
  })

  it('a registration and a sign-in from a known browser send no mail', async () => {
    const other = stranger(product)
    const { email } = await other.register()
    await other.call('POST /api/logout')
    await other.login()
    expect(await noticesTo(email)).toEqual([])
  })

  it('at most ten notices an hour are sent to a member', async () => {
    for (let i = 0; i < 12; i++) await member.otherDevice()
    expect(await noticesTo(member.user?.email)).toHaveLength(10)
  })
})
