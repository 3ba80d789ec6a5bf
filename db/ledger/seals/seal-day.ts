import { randomBytes, randomUUID } from 'node:crypto'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Tx } from '#db/postgres/statements/transaction'
import type { SealReason } from '#rules/seal/seal'
import { appendSeal } from './chain.ts'
import { dayLeaves, dayText } from './day-leaves.ts'
import { LeafBlocks } from './leaf-blocks.ts'
import { leafHash, memberSalt } from './merkle-tree.ts'

/**
 * Seals the rows that a UTC day has now; the leaves of an earlier seal of the day are dropped.
 * @param day start of the day, ms
 */
export async function sealDay(tx: Tx, day: number, reason: SealReason): Promise<void> {
  const salt = randomBytes(32)
  const leavesId = randomUUID()
  const blocks = new LeafBlocks(tx, leavesId)
  let [rows, members] = [0, 0]
  await useBatchSettings(tx)
  for await (const batch of dayLeaves(tx, day)) {
    for (const { userId, count, content } of batch) {
      await blocks.push({ userId, count, leaf: leafHash(memberSalt(salt, userId), content) })
      rows += count
      members += 1
    }
  }
  const root = await blocks.end()
  await tx('ledger_leaves')
    .whereIn(
      'leavesId',
      tx('ledger_seals')
        .where({ day: dayText(day) })
        .select('leavesId'),
    )
    .delete()
  await appendSeal(tx, { day: dayText(day), reason, rows, members, root, salt, leavesId })
}
