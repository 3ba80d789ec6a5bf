import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { decideAndNotify, submitDocument } from '#db/members/kyc'
import { refuseAddress } from '#db/members/refused-addresses'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { recordAction } from '#operators/actions/action-log'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { aSubscription } from '#scripts/testing/gateway/push-subscription'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const EXPORT = 'POST /api/user/export'
const product = useProduct({ frozen: true, env: { LOGIN_FAILURES_PER_ACCOUNT: '4' } })
const member = useMember(product)

const requestExport = (who: Visitor, body: unknown = { password: PASSWORD }) =>
  who.call(EXPORT, { body })
const id = () => member.user?.id ?? 0

/** Inserts that many ledger rows with consistent balances. */
const fillLedger = async (count: number) =>
  product.db.raw(
    `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
       description, "createdAt", "balanceAfter")
     select w.bucket, 'credit:0:' || n, :id, w.id, 'mining_reward', 1, 'TESP', 'Automatic mining credit',
       :now::timestamptz - (:count - n) * interval '20 minutes', n
     from wallets w, generate_series(1, :count) n where w."userId" = :id order by n`,
    { id: id(), count, now: new Date(await productNow(product.db)) },
  )

describe(EXPORT, () => {
  it('the export holds all data of the member in a named file', async () => {
    const { db, config } = product
    const friend = await newMember(product)
    const referralCode = await member.referralCode()
    await friend.call('POST /api/referral/apply-code', { body: { referralCode } })
    await member.call('PATCH /api/user/profile', { body: { fullName: 'Zoë', phone: '+49 30' } })
    await member.call('POST /api/mining/start', { headers: { 'Idempotency-Key': 'k1234567' } })
    await advance(db, 50 * MINUTE_MS)
    await member.call('POST /api/mining/stop')
    await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
    const bytes = Buffer.from('%PDF-1.7 my passport')
    const passport = { documentType: 'passport', mime: 'application/pdf', bytes } as const
    await inTransaction(db, (tx) => submitDocument(tx, config.dataKey, id(), passport))
    await db('feature_flags')
      .where({ name: 'kyc' })
      .update({ enabledForUsers: [id()] })
    const action = { operator: 'ada', action: 'codes freeze', details: {}, reason: 'a complaint' }
    await inTransaction(db, (tx) => recordAction(tx, { ...action, memberId: id() }))
    await db('member_notes').insert({ userId: id(), author: 'ada', note: 'asked for a code' })
    const proposal = { userId: id(), token: 'TESP', amount: 40, reason: 'lost', proposedBy: 'ada' }
    await db('correction_proposals').insert({ ...proposal, expiresAt: new Date() })
    await db('suspicious_teams').insert({ userId: id(), score: 60, evidence: { members: 9 } })
    const reminders = { on: true, language: 'en' }
    await member.call('POST /api/reminders/mail', { body: reminders })
    await member.call('POST /api/reminders/push', { body: aSubscription() })
    const ended = { sessionId: 7, userId: id(), endedAt: db.fn.now() }
    await db('reminders').insert({ ...ended, settledAt: db.fn.now(), outcome: 'sent' })

    const refusal = { email: member.user?.email ?? '', reason: '550 5.1.1', fact: 1 }
    await inTransaction(db, (tx) => refuseAddress(tx, refusal))

    const { status, body, headers } = await requestExport(member)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toContain('application/json')
    expect(headers.get('Cache-Control')).toContain('no-store')
    expect(headers.get('Content-Disposition')).toMatch(
      new RegExp(
        `^attachment; filename="tesp-network-${member.user?.username}-[\\d-]{10}\\.json"$`,
      ),
    )
    const { username, email } = member.user ?? {}
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(body).toEqual({
      about: { product: 'TESP Network', format: 1, exportedAt: time },
      profile: {
        id: id(),
        username,
        email,
        fullName: 'Zoë',
        phone: '+49 30',
        avatar: null,
        language: 'en',
        readAnnouncement: 0,
        signedUpAt: time,
      },
      identity: { status: 'pending', documentType: 'passport', verifiedAt: null },
      documents: [
        {
          id: expect.any(Number),
          documentType: 'passport',
          mime: 'application/pdf',
          submittedAt: time,
          decidedAt: null,
          accepted: null,
          reason: null,
          deletedAt: null,
          content: bytes.toString('base64'),
        },
      ],
      wallet: { name: 'Main Wallet', tesp: '1.07000000', usdt: '0.00000000', openedAt: time },
      mining: expect.objectContaining({ pendingTesp: '0.01750000', claims: 0, lastClaimAt: null }),
      earlierSessions: [],
      sessions: [
        expect.objectContaining({ status: 'stopped', hashRate: '0.10500000', endedAt: time }),
      ],
      activity: [
        expect.objectContaining({ amount: '0.03500000', balanceAfter: '0.03500000', at: time }),
        expect.objectContaining({ amount: '0.03500000', balanceAfter: '0.07000000' }),
        expect.objectContaining({ id: `task:${id()}:join_telegram`, amount: '1.00000000' }),
      ],
      tasks: [expect.objectContaining({ taskId: 'join_telegram', completedAt: time })],
      team: {
        referralCode,
        frozenReason: null,
        referredBy: null,
        teamSize: 1,
        teamLevel: 0,
        miningBoost: '0.05000000',
      },
      teamMembers: [{ username: friend.user?.username, joinedAt: time }],
      teamRewards: [],
      milestones: [],
      features: ['kyc'],
      codes: [expect.objectContaining({ purpose: 'register', verifiedAt: time })],
      mails: [expect.objectContaining({ recipient: email, sentAt: null })],
      mailRefusals: [{ at: time, reason: '550 5.1.1' }],
      reminderSettings: {
        mail: true,
        kinds: null,
        team: false,
        inviterBlockedAt: null,
        lastTeamReminder: null,
        weekBoard: null,
      },
      passkeys: [],
      oneTimeCodes: { on: false, since: null, recoveryCodesLeft: null },
      pushDevices: [{ device: 'Unknown device', addedAt: time }],
      reminders: [
        {
          kind: 'session-ended',
          sessionId: 7,
          channel: 'mail',
          createdAt: time,
          settledAt: time,
          outcome: 'sent',
        },
      ],
      telegram: [],
      inbox: [
        { kind: 'member-joined', at: time, readAt: null, facts: {} },
        { kind: 'mail-refused', at: time, readAt: null, facts: {} },
      ],
      operatorActions: [{ at: time, action: 'codes freeze', reason: 'a complaint' }],
      operatorNotes: [{ at: time, note: 'asked for a code' }],
      proposedCorrections: [
        {
          proposedAt: time,
          token: 'TESP',
          amount: '40.00000000',
          reason: 'lost',
          approved: null,
          decidedAt: null,
        },
      ],
      teamChecks: [{ checkedAt: time, score: 60, evidence: { members: 9 } }],
      requests: [{ route: 'POST /api/mining/start', at: time }],
    })
  })

  it('the export holds no secrets and no data of other members', async () => {
    const friend = await newMember(product)
    const referralCode = await member.referralCode()
    await friend.call('POST /api/referral/apply-code', { body: { referralCode } })
    const row = await product.db('users').where({ id: id() }).first()
    const code = await product.db('email_codes').where({ emailKey: row.emailKey }).first()
    const { body } = await requestExport(member)
    expect(body.teamMembers).toEqual([
      { username: friend.user?.username, joinedAt: expect.any(String) },
    ])
    const text = JSON.stringify(body)
    const secrets = [row.password, code.codeHash, code.browserId, friend.user?.email ?? '']
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/argon2|sealed|authEpoch|usernameKey/)
  })

  it('a deleted document is exported without its content', async () => {
    const { db, config } = product
    const passport = {
      documentType: 'passport',
      mime: 'image/png',
      bytes: Buffer.from('x'),
    } as const
    await inTransaction(db, (tx) => submitDocument(tx, config.dataKey, id(), passport))
    const { id: document } = await db('kyc_documents').where({ userId: id() }).first('id')
    const decision = { id: document, accepted: false, reason: 'blurred' } as const
    const mail = { dataKey: config.dataKey, origin: undefined }
    await inTransaction(db, (tx) => decideAndNotify(tx, decision, mail))
    await db('kyc_documents')
      .where({ id: document })
      .update({ sealed: null, deletedAt: db.fn.now() })
    expect((await requestExport(member)).body.documents).toMatchObject([
      { accepted: false, reason: 'blurred', content: null, deletedAt: expect.any(String) },
    ])
  })

  it('a ledger of 12,000 rows is exported completely and in order', async () => {
    await fillLedger(12_000)
    const { status, body, headers } = await requestExport(member)
    expect(status).toBe(200)
    expect(Number(headers.get('Content-Length'))).toBeGreaterThan(1_000_000)
    expect(body.activity.map(({ balanceAfter }) => Number(balanceAfter))).toEqual(
      Array.from({ length: 12_000 }, (_, index) => index + 1),
    )
    await product.db('wallet_activity').where({ userId: id() }).delete()
  })

  it('the export is one snapshot without rows committed meanwhile', async () => {
    const { db } = product
    const blocker = await db.transaction()
    await blocker.raw('lock table mining_sessions in access exclusive mode')
    const exported = requestExport(member)
    // The export has read the wallet but not yet the ledger.
    const blocked = `select 1 from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted and relation = 'mining_sessions'::regclass`
    while ((await db.raw(blocked)).rows.length === 0) await sleep(20)
    const lock = 'lock table wallet_activity in access exclusive mode nowait'
    const swap = await db.transaction((tx) => tx.raw(lock)).catch(String)
    await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
    await blocker.commit()
    const { body } = await exported
    // In the words of a node of Citus, if that refuses it.
    expect(swap).toMatch(/could not obtain lock|marked as essential/)
    expect([body.wallet.tesp, body.activity, body.tasks]).toEqual(['0.00000000', [], []])
    expect((await requestExport(member)).body.activity).toHaveLength(1)
  })

  it('a wrong password is rejected and the sign-in stays', async () => {
    expect(await requestExport(member, { password: 'not this one' })).toMatchObject({
      status: 403,
      body: { message: 'Password is not correct', code: 'wrong_password' },
    })
    expect((await member.call('GET /api/user')).status).toBe(200)
  })

  it('parallel password guesses are limited for each sign-in', async () => {
    const phone = await member.otherDevice()
    const guesses = Array.from({ length: 12 }, (_, n) =>
      requestExport(n % 2 ? phone : member, { password: `guess ${n}` }),
    )
    const answers = await Promise.all(guesses)
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 403)).toHaveLength(8)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    const right = await requestExport(member)
    expect(right).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(800)
    expect((await requestExport(await member.otherDevice())).status).toBe(200)
  })

  it('a member gets ten exports an hour; rejected passwords do not count', async () => {
    for (let n = 0; n < 3; n++) await requestExport(member, { password: 'not this one' })
    for (let n = 0; n < 10; n++) expect((await requestExport(member)).status).toBe(200)
    const { status, headers } = await requestExport(member)
    expect(status).toBe(429)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(3_000)
  })

  it.each([
    [{}, 'Password is required'],
    [{ password: '' }, 'Password is required'],
    [{ password: 7 }, expect.stringContaining('password')],
    [{ password: 'x'.repeat(129) }, 'Password is not correct'],
    [{ password: PASSWORD, memberId: 1 }, 'Send nothing but password'],
  ])('an export request with %j is rejected', async (body, message) => {
    expect(await requestExport(member, body)).toMatchObject({ status: 400, body: { message } })
  })
})
