import { type MemberRow, memberByIdentifier } from '#db/members/members'
import type { Db } from '#db/postgres/statements/transaction'
import { notFound } from '#operators/actions/not-found'

/** A member's id as operators type it. A user name cannot contain the colon. */
const ID = /^id:(\d{1,9})$/

const idIn = (name: string): number | undefined => {
  const [, id] = ID.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

/**
 * The member whom an operator names by user name, e-mail address or `id:71`.
 * @throws {RuleError} `not_found`, even for a deleted member
 */
export async function memberNamed(db: Db, name: string): Promise<MemberRow> {
  const id = idIn(name)
  const member: MemberRow | undefined =
    id === undefined
      ? await memberByIdentifier(db, name)
      : await db('users').where({ id, deletedAt: null }).first()
  if (!member) throw notFound('member')
  return member
}

/**
 * The id of a member named in the same way. `id:71` names a deleted member too, whose rows operators
 * may read.
 * @throws {RuleError} `not_found`
 */
export async function idOfMember(db: Db, name: string): Promise<number> {
  const id = idIn(name)
  if (id === undefined) return (await memberNamed(db, name)).id
  const member = await db('users').where({ id }).first('id')
  if (!member) throw notFound('member')
  return member.id
}
