import { writeInbox } from '#db/inbox/inbox'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { emailKey } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'
import { lockMember } from './execute-once.ts'

/** Days after which an address is tried again: mailboxes are made and repaired. */
export const REFUSAL_DAYS = 7

const IN_FORCE = `"refusedAt" > now() - interval '${REFUSAL_DAYS} days'`

/** Whether mails to an address (its folded form) are refused, so that none is tried. */
export async function isRefused(db: Db, key: string): Promise<boolean> {
  const row = await db('refused_addresses').where({ recipientKey: key }).whereRaw(IN_FORCE).first()
  return row !== undefined
}

/** @throws {RuleError} `email_refused` */
export async function assertReachable(db: Db, email: string): Promise<void> {
  if (!(await isRefused(db, emailKey(email)))) return
  throw new RuleError(
    'email_refused',
    'Mail to this address comes back: there is no such mailbox. Check the spelling or use another address.',
  )
}

/** Locks the member of an address (its folded form) until the transaction ends; undefined without one. */
export async function lockOwnerOf(tx: Tx, key: string): Promise<number | undefined> {
  const member = await tx('users').where({ emailKey: key, deletedAt: null }).first('id')
  if (member) await lockMember(tx, member.id)
  return member?.id
}

/** Marks an address as refused for good and tells its member, whose id is returned; `fact` is the refused mail. */
export async function refuseAddress(
  tx: Tx,
  { email, reason, fact }: { email: string; reason: string; fact: number },
): Promise<number | undefined> {
  const key = emailKey(email)
  // Orders the row and a deletion of the account.
  const memberId = await lockOwnerOf(tx, key)
  await tx('refused_addresses')
    .insert({ recipientKey: key, reason: reason.slice(0, 300) })
    .onConflict('recipientKey')
    .merge({ reason: reason.slice(0, 300), refusedAt: tx.fn.now() })
  if (memberId) await writeInbox(tx, { memberId, kind: 'mail-refused', fact, facts: {} })
  return memberId
}

type RefusedAddress = { address: string; memberId: number | null; refusedAt: Date; reason: string }

/** Addresses that get no mail now, the newest first. */
export async function refusedAddresses(db: Db, limit: number): Promise<RefusedAddress[]> {
  return db('refused_addresses as r')
    .leftJoin('users as u', 'u.emailKey', 'r.recipientKey')
    .whereRaw(`r.${IN_FORCE}`)
    .orderBy('r.refusedAt', 'desc')
    .limit(limit)
    .select('r.recipientKey as address', 'u.id as memberId', 'r.refusedAt', 'r.reason')
}

/** Lets mails to an address (its folded form) be tried again; false if it was not refused. */
export async function allowAddress(tx: Tx, key: string): Promise<boolean> {
  return (await tx('refused_addresses').where({ recipientKey: key }).delete()) > 0
}
