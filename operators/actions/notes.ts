import { lockMember } from '#db/members/execute-once'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { notFound } from './action-log.ts'
import { memberNamed } from './members.ts'

const NOTE_CHARACTERS = 1_000

/** A note of an operator about a member, who finds its text in the export of their data. */
export type Note = { id: number; at: Date; author: string; note: string }

/** What the text consists of, apart from line breaks and tabs. */
const CONTROL = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u

/**
 * Adds a note about a member.
 * @returns its id
 * @throws {RuleError} `not_found` for a deleted member, `bad_input` for an empty or long note
 */
export async function addNote(
  tx: Tx,
  { memberId, author, text }: { memberId: number; author: string; text: string },
): Promise<number> {
  const note = text.replaceAll('\r\n', '\n').trim()
  if (note === '' || [...note].length > NOTE_CHARACTERS || CONTROL.test(note)) {
    throw new RuleError('bad_input', `A note must be a text of 1 to ${NOTE_CHARACTERS} characters`)
  }
  // Under the lock a deletion has ended or follows.
  await lockMember(tx, memberId)
  await memberNamed(tx, `id:${memberId}`)
  const [added] = await tx('member_notes')
    .insert({ userId: memberId, author, note })
    .returning('id')
  return added.id
}

/** The newest notes about a member, newest first. */
export async function notesOf(db: Db, memberId: number, limit: number): Promise<Note[]> {
  return db('member_notes')
    .where({ userId: memberId })
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'at', 'author', 'note')
}

/**
 * Deletes a note, for example one about somebody else.
 * @returns id of the member
 * @throws {RuleError} `not_found`
 */
export async function deleteNote(tx: Tx, id: number): Promise<number> {
  const [deleted] = await tx('member_notes').where({ id }).delete().returning('userId')
  if (!deleted) throw notFound('note')
  return deleted.userId
}
