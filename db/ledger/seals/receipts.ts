import { type Db, inSnapshot } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { parseSealedRow, type Receipt } from '#rules/seal/receipt'
import { rowsOfMember } from './member-leaves.ts'
import { leafOfRows, memberSalt } from './merkle-tree.ts'
import { proveLeaf } from './proof-index.ts'
import { sealOfDay } from './seal-chain.ts'

/**
 * The receipt of a member's row; undefined if the member has no such row, its day is not sealed yet,
 * the row arrived after the seal, or the rows are no longer the sealed ones.
 */
export async function readReceipt(
  db: Db,
  memberId: number,
  id: string,
): Promise<Receipt | undefined> {
  return inSnapshot(db, async (tx) => {
    const found = await tx('wallet_activity')
      .where({ ...memberKey(memberId), id })
      .first('createdAt')
    if (!found) return undefined
    const day = Math.floor(found.createdAt.getTime() / DAY_MS) * DAY_MS
    const seal = await sealOfDay(tx, dayText(day))
    const proved = seal && (await proveLeaf(tx, seal.leavesId, memberId))
    if (!proved) return undefined
    const { salt: daySalt, leavesId: _, ...published } = seal
    const salt = memberSalt(daySalt, memberId)
    const rows = (await rowsOfMember(tx, day, memberId)).slice(0, proved.count)
    const row = rows.find((text) => parseSealedRow(text)?.id === id)
    if (row === undefined || !leafOfRows(salt, rows).equals(proved.leaf)) return undefined
    return {
      format: 'tesp-receipt-1',
      row,
      rows,
      salt: salt.toString('hex'),
      index: proved.index,
      path: proved.path.map((hash) => hash.toString('hex')),
      seal: published,
    }
  })
}
