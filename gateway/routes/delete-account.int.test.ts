import { describe, expect, it } from 'vitest'
import { decideAndNotify, submitDocument } from '#db/members/kyc'
import { refuseAddress } from '#db/members/refused-addresses'
import { inTransaction } from '#db/postgres/statements/transaction'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { foundInDatabase, foundInRedis } from '#scripts/testing/gateway/find-personal-data'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const DELETE = 'POST /api/user/delete'
const product = useProduct({ gateways: 2, frozen: true, audited: true })
const member = useMember(product)

const id = () => member.user?.id ?? 0
const remove = (who: Visitor, change: object = {}) => {
  const confirmation = member.user?.username
  return who.call(DELETE, { body: { password: PASSWORD, confirmation, ...change } })
}

describe(DELETE, () => {
  it('deletion ends every sign-in and closes every socket on every gateway', async () => {
    const phone = await member.otherDevice(1)
    const sockets = await Promise.all([member.connected(0), phone.connected(1)])
    const reasons = sockets.map((socket) => new Promise((done) => socket.once('signed-out', done)))
    const closed = sockets.map((socket) => new Promise((done) => socket.once('disconnect', done)))
    expect(await remove(member)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Your account has been deleted' },
    })
    expect(await Promise.all(reasons)).toEqual(['account-deleted', 'account-deleted'])
    await Promise.all(closed)
    for (const who of [member, phone]) expect((await who.call('GET /api/user')).status).toBe(401)
    expect((await new Visitor(product).login(member.user?.email)).status).toBe(401)
    expect((await new Visitor(product).login(`deleted:${id()}`, '')).status).toBe(400)
    expect((await new Visitor(product).login(`deleted:${id()}`, 'x')).status).toBe(401)
  })

  it('a browser without a socket is told that the account is deleted', async () => {
    const phone = await member.otherDevice()
    await remove(member)
    const told = { status: 401, body: { params: { reason: 'account-deleted' } } }
    expect(await phone.call('GET /api/user')).toMatchObject(told)
  })

  it('requests after the deletion are answered 401', async () => {
    const phone = await member.otherDevice()
    await remove(member)
    expect((await remove(phone)).status).toBe(401)
    expect((await phone.call('POST /api/mining/start')).status).toBe(401)
    expect((await phone.call('PATCH /api/user/profile', { body: { phone: '1' } })).status).toBe(401)
  })

  it('deletion removes the device cookie from the browser', async () => {
    expect(member.jar.get('tesp-known')).toBeDefined()
    await remove(member)
    expect(member.jar.get('tesp-known')).toBeUndefined()
    expect(member.jar.get('tesp-known.sig')).toBeUndefined()
  })

  it('deletion leaves no personal data in any table or in Redis', async () => {
    const { db, config } = product
    const unique = `uq${id()}zx`
    const avatar = 'preset:wave'
    for (const table of ['email_codes', 'mails']) await db(table).delete()
    const email = `${member.user?.username}+Case@Test.example`
    const emailKey = email.toLowerCase()
    const visitor = new Visitor(product)
    await visitor.call('POST /api/verify/send-otp', { body: { email: email.toUpperCase() } })
    await db('users').where({ id: id() }).update({ email, emailKey })
    const body = { fullName: `${unique} Full`, phone: `+49-${unique}`, avatar }
    await member.call('PATCH /api/user/profile', {
      body,
      headers: { 'Idempotency-Key': `key-${unique}-1` },
    })
    await visitor.call('POST /api/password/forgot', { body: { email: emailKey } })
    const referralCode = await member.referralCode()
    await db('users')
      .where({ id: id() })
      .update({ referralFrozenReason: `${unique} frozen` })
    for (const [accepted, reason] of [
      [false, `${unique} refused`],
      [true, ''],
    ] as const) {
      const bytes = Buffer.from(`%PDF ${unique}`)
      const passport = { documentType: 'passport', mime: 'application/pdf', bytes } as const
      await inTransaction(db, (tx) => submitDocument(tx, config.dataKey, id(), passport))
      const { id: document } = await db('kyc_documents').orderBy('id', 'desc').first('id')
      const decision = { id: document, accepted, reason }
      const mail = { dataKey: config.dataKey, origin: undefined }
      await inTransaction(db, (tx) => decideAndNotify(tx, decision, mail))
    }
    await db('feature_flags')
      .where({ name: 'kyc' })
      .update({ enabledForUsers: [id()] })
    await inTransaction(db, (tx) => refuseAddress(tx, { email, reason: 'no mailbox', fact: 1 }))
    const { password } = await db('users').where({ id: id() }).first('password')
    const traces = [member.user?.username ?? '', unique, referralCode, password, avatar, 'kyc:']
    const before = await foundInDatabase(product, traces)
    for (const column of ['users.fullName', 'mails.recipient', 'refused_addresses.recipientKey']) {
      expect(before.join()).toContain(column)
    }
    const signIns = `:sign-ins:${id()} `
    expect(await foundInRedis(product, [signIns])).toHaveLength(1)
    expect((await remove(member)).status).toBe(200)
    expect(await foundInDatabase(product, traces)).toEqual([])
    expect(await foundInRedis(product, [...traces, signIns])).toEqual([])
    for (const table of ['kyc_documents', 'idempotency_keys']) {
      expect(await db(table).where({ userId: id() })).toEqual([])
    }
    expect(await db('feature_flags').where({ name: 'kyc' }).first()).toMatchObject({
      enabledForUsers: [],
    })
  })

  it('deletion keeps the ledger: what was earned, paid and pending', async () => {
    await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
    await member.call('POST /api/mining/start')
    await advance(product.db, 50 * MINUTE_MS)
    expect((await remove(member)).status).toBe(200)
    const sessions = await product.db('mining_sessions').where({ userId: id() })
    expect(sessions).toMatchObject([{ active: false, status: 'stopped', reward: '0.08333333' }])
    const wallet = await product.db('wallets').where({ userId: id() }).first()
    expect(wallet.balance).toBe('1.06666666')
    expect(await product.db('wallet_activity').where({ userId: id() })).toHaveLength(3)
    const stats = await product.db('mining_stats').where({ userId: id() }).first()
    expect(stats.pendingRewards).toBe('0.01666667')
    await expectCleanAudit(product)
  })

  it('the referrer gets a push, sees an anonymous member and keeps the boost', async () => {
    const leader = await newMember(product, 1)
    const referralCode = await leader.referralCode()
    await member.call('POST /api/referral/apply-code', { body: { referralCode } })
    const { headers } = await leader.call('GET /api/referral/info')
    const ifNoneMatch = { 'If-None-Match': headers.get('ETag') ?? '' }
    const socket = await leader.connected()
    const push = new Promise((done) => socket.once('changed', done))
    await remove(member)
    expect(await push).toEqual({ team: true })
    const { status, body } = await leader.call('GET /api/referral/info', { headers: ifNoneMatch })
    expect(status).toBe(200)
    expect(body).toMatchObject({ teamSize: 1, miningBoost: 0.05 })
    expect(body.teamMembers).toMatchObject([{ username: 'Deleted member', email: '' }])
  })

  it('user name and e-mail are free immediately, and the referral code is invalid', async () => {
    const { username = '', email = '' } = member.user ?? {}
    const referralCode = await member.referralCode()
    await remove(member)
    const visitor = new Visitor(product)
    const check = await visitor.call('GET /api/check/referral-code/:code', {
      params: { code: referralCode },
    })
    expect(check.body).toEqual({ valid: false, message: 'Referral code does not exist' })
    const user = await visitor.register({ username, email })
    expect(user.id).toBeGreaterThan(id())
    const wallet = (await visitor.call('GET /api/wallet')).body
    expect(wallet.tesp[0]?.balance).toBe('0.00000000')
    expect(await remove(visitor)).toMatchObject({ status: 200 })
  })

  it('an e-mail that was counted in a team is rejected a second time', async () => {
    const leader = await newMember(product)
    const referralCode = await leader.referralCode()
    await member.call('POST /api/referral/apply-code', { body: { referralCode } })
    await remove(member)
    const { username = '', email = '' } = member.user ?? {}
    const visitor = new Visitor(product)
    await visitor.verify(email.toUpperCase())
    const body = { username, email: email.toUpperCase(), password: PASSWORD }
    const rejected = await visitor.call('POST /api/register', { body: { ...body, referralCode } })
    const message = 'This email address was counted in a team before'
    expect(rejected).toMatchObject({ status: 400, body: { code: 'referral_refused', message } })
    expect((await visitor.call('POST /api/register', { body })).status).toBe(200)
    const later = await visitor.call('POST /api/referral/apply-code', { body: { referralCode } })
    expect(later.body).toEqual({ success: false, message })
    expect((await leader.call('GET /api/referral/info')).body.teamSize).toBe(1)
  })

  it('an e-mail that was in no team can join one after the deletion', async () => {
    const leader = await newMember(product)
    const referralCode = await leader.referralCode()
    await remove(member)
    const again = new Visitor(product)
    await again.register({ email: member.user?.email ?? '', referralCode })
    expect((await leader.call('GET /api/referral/info')).body.teamSize).toBe(1)
  })

  it('a wrong password or confirmation deletes nothing', async () => {
    expect(await remove(member, { password: 'not this one' })).toMatchObject({
      status: 403,
      body: { message: 'Password is not correct', code: 'wrong_password' },
    })
    const message = 'Type your username exactly as it is'
    for (const confirmation of ['somebody', member.user?.username?.toUpperCase(), '@', 'DELETE']) {
      expect(await remove(member, { confirmation })).toMatchObject({
        status: 400,
        body: { message, fields: { confirmation: message } },
      })
    }
    expect((await member.call('GET /api/user')).status).toBe(200)
  })

  it.each([
    [{ password: undefined }, 'Password is required'],
    [{ confirmation: undefined }, 'Type your username to confirm'],
    [{ confirmation: 7 }, expect.stringContaining('confirmation')],
    [{ id: 1 }, 'Send nothing but password and confirmation'],
  ])('a deletion request with %j is rejected', async (change, message) => {
    expect(await remove(member, change)).toMatchObject({ status: 400, body: { message } })
    expect((await member.call('GET /api/user')).status).toBe(200)
  })

  it('a deletion request from another site deletes nothing', async () => {
    const body = { password: PASSWORD, confirmation: member.user?.username }
    const headers = { Origin: 'https://evil.example' }
    expect((await member.call(DELETE, { body, headers })).status).toBe(403)
    expect((await member.call('GET /api/user')).status).toBe(200)
  })
})
