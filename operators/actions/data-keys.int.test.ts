import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueueMail, newestMails } from '#db/mails'
import { createCode, tryCode } from '#db/members/email-codes'
import { readDocument, submitDocument } from '#db/members/kyc'
import { confirmAuthenticator, setUpAuthenticator, useFactorCode } from '#db/members/second-factor'
import {
  linkedAccount,
  linkTelegram,
  newLinkCode,
  unlinkTelegram,
  useAccount,
} from '#db/members/telegram'
import { inTransaction } from '#db/postgres/statements/transaction'
import { addSubscription } from '#db/reminders/push-subscriptions'
import { emailHashToStore, markEmailUsed } from '#db/team/used-referral-emails'
import { keyedHash } from '#runtime/secrets/encryption'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { codeOf } from '#scripts/testing/gateway/factors/authenticator-app'
import { readKeyUse, renewSealedRows, SEALED_TABLES } from './data-keys.ts'
import { acceptInvitation, inviteOperator, operatorNamed, useCode } from './operators.ts'

const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)
const BOTH = Buffer.concat([NEW, OLD])
const passport = {
  documentType: 'passport',
  mime: 'application/pdf' as const,
  bytes: Buffer.from('%PDF-'),
}
const device = { signInName: 'a sign-in', device: 'Firefox', language: 'en' as const }
const subscription = { endpoint: 'https://push.test.example/1', p256dh: 'p', auth: 'a' }
const mail = { to: 'ada@test.example', subject: 's', text: 'the code is 123456' }

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('every table with a sealed column is renewed', async () => {
  const { rows } = await fresh.db.raw(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'sealed' order by table_name`,
  )
  const names = rows.map((row: { table_name: string }) => row.table_name)
  expect(names).toEqual(Object.keys(SEALED_TABLES).sort())
})

it('rows under an older key are encrypted again and then need only the current key', async () => {
  const { db } = fresh
  const userId = await insertMember(db)
  const now = Date.now()
  const recoveryCodes = await inTransaction(db, async (tx) => {
    const secret = await setUpAuthenticator(tx, OLD, userId)
    const code = codeOf(secret, Math.floor(now / 30_000))
    await enqueueMail(tx, OLD, mail)
    await enqueueMail(tx, NEW, mail)
    await enqueueMail(tx, Buffer.alloc(32, 3), { ...mail, to: 'lost@test.example' })
    await submitDocument(tx, OLD, userId, passport)
    await addSubscription(tx, OLD, { memberId: userId, epoch: 0, ...device }, subscription)
    const linkCode = await newLinkCode(tx, OLD, userId)
    await linkTelegram(tx, OLD, linkCode, { id: 7, name: '@mara' })
    const token = await inviteOperator(tx, OLD, { name: 'ada', role: 'reviewer' })
    await acceptInvitation(tx, token, 'x')
    return confirmAuthenticator(tx, OLD, { memberId: userId, code, now })
  })
  expect(await readKeyUse(db, BOTH)).toEqual([
    { table: 'mails', current: 1, older: 1, unreadable: 1 },
    { table: 'kyc_documents', current: 0, older: 1, unreadable: 0 },
    { table: 'operators', current: 0, older: 1, unreadable: 0 },
    { table: 'push_subscriptions', current: 0, older: 1, unreadable: 0 },
    { table: 'second_factors', current: 0, older: 1, unreadable: 0 },
    { table: 'telegram_accounts', current: 0, older: 1, unreadable: 0 },
  ])

  await renewSealedRows(db, BOTH)

  expect(await readKeyUse(db, NEW)).toEqual([
    { table: 'mails', current: 2, older: 0, unreadable: 1 },
    { table: 'kyc_documents', current: 1, older: 0, unreadable: 0 },
    { table: 'operators', current: 1, older: 0, unreadable: 0 },
    { table: 'push_subscriptions', current: 1, older: 0, unreadable: 0 },
    { table: 'second_factors', current: 1, older: 0, unreadable: 0 },
    { table: 'telegram_accounts', current: 1, older: 0, unreadable: 0 },
  ])
  expect(await linkedAccount(db, NEW, userId)).toMatchObject({ id: 7, name: '@mara' })
  await db('mails').where({ recipient: 'lost@test.example' }).delete()
  expect((await newestMails(db, NEW)).map(({ text }) => text)).toEqual([mail.text, mail.text])
  const document = await db('kyc_documents').where({ userId }).first('id')
  expect(await readDocument(db, NEW, document.id)).toEqual(passport.bytes)
  const operator = await operatorNamed(db, 'ada')
  if (!operator) throw new Error('the operator is missing')
  // A wrong code is an answer; a secret that cannot be decrypted would throw.
  expect(await useCode(db, NEW, operator, 'no code', Date.now())).toBe(false)
  // Recovery codes from before the rotation work after it.
  const recovery = { memberId: userId, code: recoveryCodes[0] ?? '', now }
  const used = await inTransaction(db, (tx) => useFactorCode(tx, NEW, recovery))
  expect(used).toBe('recovery')
})

it('a Telegram account belongs to one member and is paid once, also after the old key has gone', async () => {
  const { db } = fresh
  const [first = 0, second = 0] = await insertMembers(db, 2)
  const link = (memberId: number, dataKey: Buffer) =>
    inTransaction(db, async (tx) =>
      linkTelegram(tx, dataKey, await newLinkCode(tx, dataKey, memberId), { id: 8, name: '@li' }),
    )
  const use = (memberId: number, task: string) =>
    inTransaction(db, (tx) => useAccount(tx, memberId, task))
  await link(first, OLD)
  await use(first, 'join_telegram')
  await renewSealedRows(db, BOTH)
  await use(first, 'follow_twitter')
  expect(await link(second, NEW)).toBe('taken')
  await inTransaction(db, (tx) => unlinkTelegram(tx, first))
  expect(await link(second, NEW)).toBe('linked')
  for (const task of ['join_telegram', 'follow_twitter']) {
    await expect(use(second, task)).rejects.toMatchObject({ code: 'telegram_account_used' })
  }
})

it('two links of one account under two keys become one, and what they were paid for too', async () => {
  const { db } = fresh
  const third = Buffer.alloc(32, 4)
  const [first = 0, second = 0] = await insertMembers(db, 2)
  const link = (memberId: number, dataKey: Buffer) =>
    inTransaction(db, async (tx) =>
      linkTelegram(tx, dataKey, await newLinkCode(tx, dataKey, memberId), { id: 9, name: '@an' }),
    )
  const use = (memberId: number) =>
    inTransaction(db, (tx) => useAccount(tx, memberId, 'join_telegram'))
  // As after a rotation that renewed no hash.
  for (const [memberId, dataKey] of [
    [first, OLD],
    [second, third],
  ] as const) {
    expect(await link(memberId, dataKey)).toBe('linked')
    await use(memberId)
  }
  await renewSealedRows(db, Buffer.concat([NEW, OLD, third]))
  await renewSealedRows(db, Buffer.concat([NEW, OLD, third]))
  const linked = await db('telegram_accounts').whereIn('userId', [first, second]).pluck('userId')
  expect(linked).toHaveLength(1)
  await expect(use(linked[0])).rejects.toMatchObject({ code: 'telegram_account_used' })
})

it('a device has one subscription, also after the old key has gone', async () => {
  const { db } = fresh
  const memberId = await insertMember(db)
  const own = { ...subscription, endpoint: 'https://push.test.example/2' }
  const add = (dataKey: Buffer, signInName: string) =>
    inTransaction(db, (tx) =>
      addSubscription(tx, dataKey, { memberId, epoch: 0, ...device, signInName }, own),
    )
  await add(OLD, 'before')
  await renewSealedRows(db, BOTH)
  await add(NEW, 'after')
  expect(await db('push_subscriptions').where({ userId: memberId }).pluck('signInName')).toEqual([
    'after',
  ])
})

it('rows are renewed in batches, so one that is locked holds no other', async () => {
  const { db } = fresh
  await db('mails').delete()
  for (let n = 0; n < 30; n++) await inTransaction(db, (tx) => enqueueMail(tx, OLD, mail))
  const olderMails = async () => (await readKeyUse(db, BOTH))[0]?.older
  const last = await db('mails').orderBy('id', 'desc').first('id')
  let renewal: Promise<void> | undefined
  await inTransaction(db, async (tx) => {
    await tx('mails').where(last).forUpdate()
    renewal ??= renewSealedRows(db, BOTH)
    await expect.poll(olderMails).toBe(10)
  })
  await renewal
  expect(await olderMails()).toBe(0)
})

it('a code that was mailed before the rotation is right after it', async () => {
  const owner = { email: 'code@test.example', purpose: 'register' as const, browserId: 'b' }
  const code = await inTransaction(fresh.db, (tx) => createCode(tx, OLD, owner, 5))
  expect(await inTransaction(fresh.db, (tx) => tryCode(tx, BOTH, owner, code))).toBe('right')
})

it('an e-mail address counted before the rotation is recognised while its key is in the ring', async () => {
  const email = 'counted@test.example'
  const toStore = (dataKey: Buffer, address = email) =>
    inTransaction(fresh.db, (tx) => emailHashToStore(tx, dataKey, address))
  await inTransaction(fresh.db, (tx) => markEmailUsed(tx, OLD, email))
  const hashOf = (dataKey: Buffer, address: string) => keyedHash(dataKey, 'address', address)
  expect(await toStore(BOTH)).toBe(hashOf(OLD, email))
  expect(await toStore(BOTH, 'new@test.example')).toBe(hashOf(NEW, 'new@test.example'))
  expect(await toStore(NEW)).toBe(hashOf(NEW, email))
})
