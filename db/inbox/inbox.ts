import { logPollChange } from '#db/ledger/poll-log'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { queueNotices } from '#db/reminders/push-notices'
import { bucketOf, memberKey } from '#rules/buckets'
import {
  INBOX_DAYS,
  INBOX_ROWS,
  type InboxFacts,
  type InboxKind,
  type InboxPage,
  type InboxRow,
  type InboxState,
  type ReadMark,
} from '#rules/inbox'
import { DELETED_MEMBER } from '#rules/members/usernames-and-emails'
import { newestAnnouncements, openAnnouncements } from './announcements.ts'

/** Facts as stored: the id of another member, whose name is read with the row. */
type StoredFacts = {
  [Kind in InboxKind]: InboxFacts[Kind] extends { username: string }
    ? { memberId: number }
    : InboxFacts[Kind]
}

/** A fact that a member is to know; `fact` is its id within the kind, so a fact recorded twice is one row. */
export type InboxFact = {
  [Kind in InboxKind]: {
    memberId: number
    kind: Kind
    fact: string | number
    facts: StoredFacts[Kind]
  }
}[InboxKind]

const INSERT_SQL = `
  insert into inbox (bucket, "userId", kind, fact, facts)
  select bucket, "userId", kind, fact, facts
  from unnest(:buckets::smallint[], :memberIds::integer[], :kinds::text[], :ids::text[],
    :facts::jsonb[]) as f(bucket, "userId", kind, fact, facts)
  on conflict do nothing`

/** Writes rows in the transaction of their facts and queues pushes; the caller publishes `inbox` after the commit. */
export async function writeInbox(tx: Tx, ...facts: InboxFact[]): Promise<void> {
  if (facts.length === 0) return
  const memberIds = facts.map(({ memberId }) => memberId)
  await prepared(tx, 'write-inbox', INSERT_SQL, {
    buckets: memberIds.map(bucketOf),
    memberIds,
    kinds: facts.map(({ kind }) => kind),
    ids: facts.map(({ fact }) => String(fact)),
    facts: facts.map((one) => JSON.stringify(one.facts)),
  })
  await queueNotices(tx, facts)
  await logPollChange(tx, ...memberIds)
}

/** Rows older than the retention are not shown, even before they are deleted. */
const KEPT = `i.at > now() - interval '${INBOX_DAYS} days'`

const PAGE_SQL = `
  select * from (
    select i.id, i.kind, i.at, i."readAt" is not null as read, i.facts from inbox i
    where i.bucket = :bucket and i."userId" = :userId and ${KEPT}
    order by i.id desc limit ${INBOX_ROWS}
  ) kept
  where id < :before order by id desc limit :limit`

type StoredRow = Omit<InboxRow, 'facts' | 'at'> & { at: Date; facts: { memberId?: number } }

async function namesOf(db: Db, rows: StoredRow[]): Promise<Map<number, string>> {
  const ids = rows.flatMap(({ facts }) => facts.memberId ?? [])
  if (ids.length === 0) return new Map()
  const members = await db('users').whereIn('id', ids).select('id', 'username', 'deletedAt')
  return new Map(
    members.map(({ id, username, deletedAt }) => [id, deletedAt ? DELETED_MEMBER : username]),
  )
}

/** A page of the member's rows, newest first; `before` is the id of the last row of the previous one. */
export async function readInbox(
  db: Db,
  memberId: number,
  limit: number,
  before?: number,
): Promise<InboxPage> {
  const values = { ...memberKey(memberId), limit, before: before ?? Number.MAX_SAFE_INTEGER }
  const stored: StoredRow[] = (await prepared(db, 'inbox-page', PAGE_SQL, values)).rows
  const names = await namesOf(db, stored)
  const rows = stored.map(({ at, facts: { memberId: other, ...facts }, ...row }) => ({
    ...row,
    at: at.toISOString(),
    facts: other === undefined ? facts : { username: names.get(other) ?? DELETED_MEMBER },
  })) as InboxRow[]
  return {
    rows,
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
    announcements: before === undefined ? await newestAnnouncements(db, memberId) : [],
  }
}

const MEMBERS_SQL = `
  select id as "memberId", "authEpoch", "readAnnouncement",
    (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"
  from users where id = any(:memberIds::integer[])`

const unreadSql = (rows: string) => `
  select i."userId" as "memberId", least(count(*), ${INBOX_ROWS})::integer as unread, max(i.id) as newest
  from ${rows} and i."readAt" is null and ${KEPT} group by 1`

/** Of one member: it names the bucket, so that Citus asks one shard instead of all. */
const ONE_UNREAD_SQL = unreadSql(`inbox i where i.bucket = :bucket and i."userId" = :userId`)

/** Of many members. Their buckets as a second condition would be tried for each of the members. */
const UNREAD_SQL = unreadSql(`
  unnest(:buckets::smallint[], :memberIds::integer[]) as m(bucket, "userId")
  join inbox i on i.bucket = m.bucket where i."userId" = m."userId"`)

function readUnread(db: Db, memberIds: number[]) {
  const [memberId = 0, ...others] = memberIds
  if (others.length === 0) return prepared(db, 'inbox-unread', ONE_UNREAD_SQL, memberKey(memberId))
  const buckets = memberIds.map(bucketOf)
  return prepared(db, 'inbox-unread-many', UNREAD_SQL, { buckets, memberIds })
}

type MemberState = { memberId: number; authEpoch: number; state: InboxState }

/** What the bells of many members show; in no particular order, without members who do not exist. */
export async function readInboxStates(db: Db, memberIds: number[]): Promise<MemberState[]> {
  const members = await prepared(db, 'inbox-members', MEMBERS_SQL, { memberIds })
  const unread = await readUnread(db, memberIds)
  const byMember = new Map(unread.rows.map((row) => [row.memberId, row]))
  const announcements = await openAnnouncements(db)
  return members.rows.map(({ memberId, authEpoch, readAnnouncement, asOf }) => {
    const { unread = 0, newest = 0 } = byMember.get(memberId) ?? {}
    const state = { unread, newest, readAnnouncement, announcements, asOf }
    return { memberId, authEpoch, state }
  })
}

const READ_SQL = `
  update inbox set "readAt" = now()
  where bucket = :bucket and "userId" = :userId and id <= :row and "readAt" is null`

const READ_ANNOUNCEMENTS_SQL = `
  update users set "readAnnouncement" = last.id
  from (select coalesce(max(id), 0) as id from announcements where id <= :announcement) last
  where users.id = :memberId and "readAnnouncement" < last.id`

/** Marks what the member has seen as read; rows that arrive later stay unread. Repetitions change nothing. */
export async function markInboxRead(tx: Tx, memberId: number, mark: ReadMark): Promise<void> {
  const { row, announcement } = mark
  const read = await prepared(tx, 'read-inbox', READ_SQL, { ...memberKey(memberId), row })
  const values = { memberId, announcement }
  const moved = await prepared(tx, 'read-announcements', READ_ANNOUNCEMENTS_SQL, values)
  if (read.rowCount || moved.rowCount) await logPollChange(tx, memberId)
}
