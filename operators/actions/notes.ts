import type { Db, Tx } from '#db/postgres/statements/transaction'
import { notFound, refuse } from './action-log.ts'
import { lockKnownMember } from './members.ts'

const NOTE_CHARACTERS = 1_000

/** The member finds it in the export of their data. */
export type Note = { id: number; at: Date; author: string; note: string }

/** Line breaks and tabs are allowed. */
const CONTROL = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u

/** @throws {RuleError} `not_found` for a deleted member, `bad_input` for an empty or long note */
export async function addNote(
  tx: Tx,
  { memberId, author, text }: { memberId: number; author: string; text: string },
): Promise<number> {
  const note = text.replaceAll('\r\n', '\n').trim()
  if (note === '' || [...note].length > NOTE_CHARACTERS || CONTROL.test(note)) {
    refuse(`A note must be a text of 1 to ${NOTE_CHARACTERS} characters`)
  }
  await lockKnownMember(tx, memberId)
  const [added] = await tx('member_notes')
    .insert({ userId: memberId, author, note })
    .returning('id')
  return added.id
}

export async function notesOf(db: Db, memberId: number, limit: number): Promise<Note[]> {
  return db('member_notes')
    .where({ userId: memberId })
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'at', 'author', 'note')
}

/** Returns the id of the member. @throws {RuleError} `not_found` */
export async function deleteNote(tx: Tx, id: number): Promise<number> {
  const [deleted] = await tx('member_notes').where({ id }).delete().returning('userId')
  if (!deleted) throw notFound('note')
  return deleted.userId
}
