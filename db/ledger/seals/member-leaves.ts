import { cursorBatches } from '#db/postgres/statements/cursor'
import type { Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { SEALED_ROW_SQL } from '#rules/seal/receipt'

/** What a member posted on one day: the number of rows and SHA-256 of their texts. */
export type MemberLeaf = { userId: number; count: number; content: Buffer }

/** Rows that one query sorts at a time, about 700 MB on disk. */
const ROWS_PER_QUERY = 4_000_000

/** Rows of the ledger on a UTC day; `day` is its start, ms. */
export const rowsOfDay = (tx: Tx, day: number) =>
  tx('wallet_activity')
    .where('createdAt', '>=', new Date(day))
    .where('createdAt', '<', new Date(day + DAY_MS))

/** The texts of a member's rows of a day, in the order of posting. */
export async function rowsOfMember(tx: Tx, day: number, userId: number): Promise<string[]> {
  const rows: { text: string }[] = await rowsOfDay(tx, day)
    .where(memberKey(userId))
    .orderBy('seq')
    .select(tx.raw(`${SEALED_ROW_SQL} as text`))
  return rows.map(({ text }) => text)
}

async function memberRanges(tx: Tx, day: number): Promise<[number, number][]> {
  const { rows } = await tx.raw('select coalesce(max(id), 0) + 1 as end from users')
  const end: number = rows[0].end
  const count = await rowsOfDay(tx, day).count({ rows: '*' }).first()
  const ranges = Math.max(1, Math.ceil(Number(count?.rows) / ROWS_PER_QUERY))
  const width = Math.ceil(end / ranges)
  return Array.from({ length: ranges }, (_, i) => [i * width, (i + 1) * width])
}

/** The leaves of a day in ascending order of members; memory is bounded by one batch. */
export async function* memberLeaves(tx: Tx, day: number): AsyncGenerator<MemberLeaf> {
  for (const [from, to] of await memberRanges(tx, day)) {
    const query = rowsOfDay(tx, day)
      .where('userId', '>=', from)
      .where('userId', '<', to)
      // With the bucket each node of Citus computes the leaves of its members.
      .groupBy('userId', 'bucket')
      .orderBy('userId')
      .select(
        'userId',
        tx.raw('count(*)::integer as count'),
        tx.raw(
          `sha256(convert_to(string_agg(${SEALED_ROW_SQL}, chr(10) order by seq), 'UTF8')) as content`,
        ),
      )
    for await (const batch of cursorBatches<MemberLeaf>(tx, query)) yield* batch
  }
}
