import { decryptDocument } from '#db/members/kyc'
import type { SignIn } from '#db/members/member-lock'
import { cursorBatches } from '#db/postgres/statements/cursor'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { NETWORK_NAME } from '#rules/constants'
import { RuleError } from '#rules/rule-error'
import { LISTS, type Owner, SINGLE } from './export-queries.ts'

/** A document has up to 5 MiB, so one at a time is decrypted. */
const DOCUMENTS_AT_ONCE = 1

/** An export: JSON (`MemberExport`) in chunks, and the parts of its file name. */
export type WrittenExport = { pieces: Buffer[]; username: string; exportedAt: Date }

type Row = Record<string, unknown>

/** Conversions of rows to their exported form; other lists are exported as read. */
const VIEWS: Record<string, (row: Row, dataKey: Buffer) => unknown> = {
  documents: (row, dataKey) => ({
    ...row,
    content: row.content
      ? decryptDocument(dataKey, row.content as Buffer).toString('base64')
      : null,
  }),
  features: ({ name }) => name,
}

/**
 * Chunks of the JSON object after `about`: `"name":value`, lists in batches with one row a line.
 */
async function* partsOf(tx: Tx, owner: Owner, dataKey: Buffer): AsyncGenerator<string> {
  for (const [name, query] of Object.entries(SINGLE)) {
    yield `,\n"${name}":${JSON.stringify(await query(tx, owner).first())}`
  }
  for (const [name, query] of Object.entries(LISTS)) {
    const view = VIEWS[name] ?? ((row: Row) => row)
    const page = name === 'documents' ? DOCUMENTS_AT_ONCE : undefined
    yield `,\n"${name}":[`
    let separator = '\n'
    for await (const rows of cursorBatches<Row>(tx, query(tx, owner), page)) {
      const texts = rows.map((row) => JSON.stringify(view(row, dataKey)))
      yield separator + texts.join(',\n')
      separator = ',\n'
    }
    yield ']'
  }
}

/**
 * Exports all data held about a member, in one snapshot of the database. Rows are read in batches,
 * and the transaction ends before the download, so that a slow client cannot keep it open.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function exportMember(
  db: Db,
  dataKey: Buffer,
  { memberId, epoch }: SignIn,
): Promise<WrittenExport> {
  return db.transaction(
    async (tx) => {
      const member = await tx('users')
        .where({ id: memberId, authEpoch: epoch ?? null })
        .first('username', 'emailKey', tx.raw('now() as "exportedAt"'))
      if (!member) throw new RuleError('not_signed_in', 'Please sign in')
      const { username, emailKey, exportedAt } = member
      const about = { product: NETWORK_NAME, format: 1, exportedAt }
      const pieces = [Buffer.from(`{"about":${JSON.stringify(about)}`)]
      for await (const text of partsOf(tx, { memberId, emailKey }, dataKey)) {
        pieces.push(Buffer.from(text))
      }
      pieces.push(Buffer.from('}\n'))
      return { pieces, username, exportedAt }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}
