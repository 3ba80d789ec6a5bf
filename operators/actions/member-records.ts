import { memberById } from '#db/members/members'
import type { Db } from '#db/postgres/statements/transaction'
import { AuthSessionStore } from '#gateway/services/auth-session-store'
import { DeviceList, type ListedSignIn } from '#gateway/services/device-list'
import { emailKey } from '#rules/members/usernames-and-emails'
import type { RedisClient } from '#runtime/redis/redis-client'
import { refuse } from './action-log.ts'
import { type LedgerLine, ledgerOf } from './members.ts'

const LEDGER_PAGE = 50

/** A cursor behind a ledger row: its time in microseconds, which a Date does not hold, and its number. */
const CURSOR = /^(\d{1,17})\.(\d{1,18})$/

/** `next` is the cursor behind the last row. @throws {RuleError} `bad_input` for a cursor of another form */
export async function ledgerPage(
  db: Db,
  memberId: number,
  before: string | undefined,
  limit = LEDGER_PAGE,
): Promise<{ rows: LedgerLine[]; next: string | undefined }> {
  const rows = ledgerOf(db, memberId, limit + 1).select<(LedgerLine & { cursor: string })[]>(
    db.raw(`(extract(epoch from "createdAt") * 1000000)::bigint || '.' || seq as cursor`),
  )
  if (before !== undefined) {
    const [, micros, seq] = CURSOR.exec(before) ?? []
    if (!micros || !seq) refuse('The page does not exist')
    const at = `timestamptz 'epoch' + :micros::bigint * interval '1 microsecond'`
    // The first condition excludes partitions, which the second does not.
    rows.whereRaw(`"createdAt" <= ${at} and ("createdAt", seq) < (${at}, :seq::bigint)`, {
      micros,
      seq,
    })
  }
  const found = await rows
  const page = found.slice(0, limit)
  return { rows: page, next: found.length > limit ? page.at(-1)?.cursor : undefined }
}

export type TeamLine = { id: number; username: string; joinedAt: Date; frozenAt: Date | null }

export async function teamOf(db: Db, memberId: number, limit: number): Promise<TeamLine[]> {
  return db('referral_rewards as r')
    .join('users as u', 'u.id', 'r.referredUserId')
    .where('r.userId', memberId)
    .orderBy('r.id', 'desc')
    .limit(limit)
    .select('u.id', 'u.username', 'r.createdAt as joinedAt', 'u.frozenAt')
}

export type MailLine = {
  id: number
  subject: string
  createdAt: Date
  sentAt: Date | null
  failedAt: Date | null
  lastError: string | null
}

export async function mailsOf(db: Db, email: string, limit: number): Promise<MailLine[]> {
  return db('mails')
    .where({ recipientKey: emailKey(email) })
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'subject', 'createdAt', 'sentAt', 'failedAt', 'lastError')
}

export const deviceListIn = (redis: RedisClient, redisPrefix: string) =>
  new DeviceList(redis, redisPrefix, new AuthSessionStore(redis, redisPrefix))

export async function memberSignIns(
  db: Db,
  redis: RedisClient,
  { memberId, redisPrefix }: { memberId: number; redisPrefix: string },
): Promise<ListedSignIn[]> {
  const member = await memberById(db, memberId)
  const list = deviceListIn(redis, redisPrefix)
  const { listed } = await list.peek(memberId, member?.authEpoch ?? -1, Date.now())
  return listed
}
