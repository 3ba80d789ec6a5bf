import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteMember } from '#db/members/deletion'
import { submitDocument } from '#db/members/kyc'
import { endSessions } from '#db/mining/end-sessions'
import { deleteOldInboxRows } from '#db/old-rows'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import { bucketOf } from '#rules/buckets'
import { hasUnread, INBOX_ROWS } from '#rules/inbox'
import { DELETED_MEMBER } from '#rules/members/usernames-and-emails'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { plansOf } from '#scripts/testing/db/statements/plans'
import { markInboxRead, readInbox, readInboxStates, writeInbox } from './inbox.ts'

let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
})

const within = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(fresh.db, work)
const rows = async (before?: number, limit = 200) =>
  (await readInbox(fresh.db, memberId, limit, before)).rows
const stateOf = async (id = memberId) => {
  const [found] = await readInboxStates(fresh.db, [id])
  if (!found) throw new Error('no member')
  return found.state
}
const milestones = (count: number, first = 1) =>
  within((tx) =>
    writeInbox(
      tx,
      ...Array.from({ length: count }, (_, at) => ({
        memberId,
        kind: 'milestone-ready' as const,
        fact: first + at,
        facts: { members: first + at },
      })),
    ),
  )

/** A running session whose 72 intervals are credited. */
async function creditedSession(): Promise<number> {
  const [id = 0] = await insertSessions(fresh.db, [
    { userId: memberId, startedAt: startedBefore(Date.now(), 72, 60_000) },
  ])
  await fresh
    .db('mining_sessions')
    .where({ id })
    .update({ creditedIntervals: 72, reward: '2.4', usdtReward: '0.12345678' })
  return id
}

it('unread rows of one member are found by a bucket that the statement names', async () => {
  const [plan] = await plansOf(fresh, () => readInboxStates(fresh.db, [memberId]), 'inbox i')
  const bucket = bucketOf(memberId)
  expect(plan).toMatch(new RegExp(`Index Cond: \\(\\(bucket = '?${bucket}\\b.*"userId" = `))
})

describe('a row of the inbox', () => {
  it('the end of a session writes its exact earnings once, however often it is repeated', async () => {
    await creditedSession()
    await Promise.all([endSessions(fresh.db), endSessions(fresh.db), endSessions(fresh.db)])
    await endSessions(fresh.db)
    expect(await rows()).toMatchObject([
      {
        kind: 'session-ended',
        read: false,
        facts: { tesp: '2.40000000', usdt: '0.12345678' },
      },
    ])
  })

  it('a fact whose transaction is killed leaves no row, and the retry writes exactly one', async () => {
    const sessionId = await creditedSession()
    const killed = within(async (tx) => {
      const { rows } = await tx.raw('select pg_backend_pid() as pid')
      await writeInbox(tx, {
        memberId,
        kind: 'session-ended',
        fact: sessionId,
        facts: { tesp: '1', usdt: '0' },
      })
      await fresh.db.raw('select pg_terminate_backend(?)', [rows[0].pid])
      await tx.raw('select 1')
    })
    await expect(killed).rejects.toThrow()
    expect(await rows()).toEqual([])
    await endSessions(fresh.db)
    expect(await rows()).toHaveLength(1)
  })

  it('100 parallel writes of one fact are one row', async () => {
    await Promise.all(Array.from({ length: 100 }, () => milestones(1)))
    expect(await rows()).toHaveLength(1)
    expect(await stateOf()).toMatchObject({ unread: 1 })
  })

  it('the owner of a code reads who joined, by the name of now, and which milestone is ready', async () => {
    const code = await within((tx) => generateReferralCode(tx, memberId))
    const joined = await insertMembers(fresh.db, 10)
    for (const id of joined) await within((tx) => applyReferralCode(tx, id, code))
    const [ready, newest] = await rows()
    expect(ready).toMatchObject({ kind: 'milestone-ready', facts: { members: 10 } })
    const last = await fresh
      .db('users')
      .where({ id: joined.at(-1) })
      .first('username')
    expect(newest).toMatchObject({ kind: 'member-joined', facts: { username: last?.username } })
    await fresh.db.raw('alter table users disable trigger all')
    await fresh.db.raw('alter table users drop constraint users_deleted_is_nobody')
    await fresh
      .db('users')
      .where({ id: joined.at(-1) })
      .update({ deletedAt: new Date() })
    expect((await rows())[1]).toMatchObject({ facts: { username: DELETED_MEMBER } })
  })

  it('hostile texts are stored and answered as they are', async () => {
    const reason = `<img src=x onerror=alert(1)> '; drop table inbox; -- \u202e"{{reason}}" \\u0000`
    await within((tx) => writeInbox(tx, { memberId, kind: 'frozen', fact: 1, facts: { reason } }))
    expect((await rows())[0]).toMatchObject({ facts: { reason } })
  })

  it('a submitted document alone writes none', async () => {
    await within((tx) =>
      submitDocument(tx, fresh.dataKey, memberId, {
        documentType: 'passport',
        mime: 'application/pdf',
        bytes: Buffer.from('%PDF-1.7'),
      }),
    )
    expect(await rows()).toEqual([])
  })
})

describe('pages and read marks', () => {
  it('pages follow each other without a gap or a repetition, even if rows arrive meanwhile', async () => {
    await milestones(60)
    const first = await readInbox(fresh.db, memberId, 25)
    await milestones(5, 100)
    const second = await readInbox(fresh.db, memberId, 25, first.next ?? 0)
    const third = await readInbox(fresh.db, memberId, 25, second.next ?? 0)
    const seen = [first, second, third].flatMap((page) => page.rows.map(({ id }) => id))
    expect(seen).toHaveLength(60)
    expect(new Set(seen).size).toBe(60)
    expect([...seen].sort((a, b) => b - a)).toEqual(seen)
    expect(third.next).toBeNull()
  })

  it('what is seen is read; a repetition changes nothing, and later rows stay unread', async () => {
    await milestones(3)
    const { newest } = await stateOf()
    await milestones(1, 50)
    await within((tx) => markInboxRead(tx, memberId, { row: newest, announcement: 0 }))
    await within((tx) => markInboxRead(tx, memberId, { row: newest, announcement: 0 }))
    expect(await stateOf()).toMatchObject({ unread: 1 })
    expect((await rows()).map(({ read }) => read)).toEqual([false, true, true, true])
  })

  it('a member reads and marks own rows only', async () => {
    await milestones(1)
    const other = await insertMember(fresh.db)
    const { newest } = await stateOf()
    await within((tx) => markInboxRead(tx, other, { row: newest, announcement: 0 }))
    expect(await stateOf()).toMatchObject({ unread: 1 })
    expect((await readInbox(fresh.db, other, 25)).rows).toEqual([])
  })

  it('a mark beyond every announcement leaves the next one unread', async () => {
    const mark = { row: 0, announcement: 2 ** 31 - 1 }
    await within((tx) => markInboxRead(tx, memberId, mark))
    await fresh.db('announcements').insert({
      kind: 'news',
      texts: '{}',
      from: new Date(),
      until: new Date(Date.now() + 60_000),
    })
    const isUnread = async () => hasUnread(await stateOf(), Date.now(), { row: 0, announcement: 0 })
    expect(await isUnread()).toBe(true)
    await within((tx) => markInboxRead(tx, memberId, mark))
    expect(await isUnread()).toBe(false)
  })
})

describe('retention', () => {
  it('the newest 100 rows of the last 90 days are shown, and the others are deleted', async () => {
    await milestones(120)
    const stored = () => fresh.db('inbox').where({ userId: memberId }).pluck('id')
    expect(await rows()).toHaveLength(INBOX_ROWS)
    expect(await stateOf()).toMatchObject({ unread: INBOX_ROWS })
    await fresh
      .db('inbox')
      .where({ userId: memberId })
      .whereRaw('fact::integer <= 21')
      .update({ at: fresh.db.raw(`now() - interval '91 days'`) })
    expect(await rows()).toHaveLength(INBOX_ROWS - 1)
    await deleteOldInboxRows(fresh.db, bucketOf(memberId) + 1)
    expect(await stored()).toHaveLength(120)
    expect(await deleteOldInboxRows(fresh.db, bucketOf(memberId))).toBe(21)
    expect(await stored()).toHaveLength(INBOX_ROWS - 1)
  })

  it('a deletion takes all rows of the member', async () => {
    await milestones(2)
    await within((tx) => deleteMember(tx, fresh.dataKey, { memberId, epoch: 0 }))
    expect(await rows()).toEqual([])
  })
})
