import { decryptDocument } from '#db/members/kyc'
import type { SignIn } from '#db/members/member-lock'
import { cursorBatches } from '#db/postgres/cursor'
import type { Db, Tx } from '#db/postgres/transaction'
import { NETWORK_NAME } from '#rules/constants'
import { RuleError } from '#rules/rule-error'
import { LISTS, type Owner, SINGLE } from './export-queries.ts'

/** A document of up to 5 MiB is opened by itself. */
const DOCUMENTS_AT_ONCE = 1

/** A written export: JSON (`MemberExport`) in pieces, and what its file is named after. */
export type WrittenExport = { pieces: Buffer[]; username: string; exportedAt: Date }

type Row = Record<string, unknown>

/** Rows as the export shows them. */
const VIEWS: Record<string, (row: Row, dataKey: Buffer) => unknown> = {
  documents: (row, dataKey) => ({
    ...row,
    content: row.content
      ? decryptDocument(dataKey, row.content as Buffer).toString('base64')
      : null,
  }),
  features: ({ name }) => name,
}

/** Texts of the top level, in their order: `"name": value`, lists a page at a time, a row a line. */
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
 * Writes down everything that is held about a member, as of one moment. Of long lists only a page
 * is in memory at a time, beside what was written already; no transaction is open while somebody
 * with a slow connection downloads it.
 * @throws {RuleError} `not_signed_in` where the sign-in has ended meanwhile
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
