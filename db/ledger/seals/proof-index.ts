import type { Tx } from '#db/postgres/statements/transaction'
import { MerkleTree, merklePath, merkleRoot } from './merkle-tree.ts'

/** Leaves of one row of `ledger_leaves`: a power of two, so that a block is a subtree. */
const BLOCK = 1_024
const HASH_BYTES = 32

/** A sealed member of a day. */
export type StoredLeaf = { userId: number; count: number; leaf: Buffer }

type Block = { block: number; members: number[]; counts: number[]; leaves: Buffer; root: Buffer }

const leavesOf = ({ leaves }: Block): Buffer[] =>
  Array.from({ length: leaves.length / HASH_BYTES }, (_, i) =>
    leaves.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  )

/** Writes leaves in blocks; returns their root. */
export async function storeLeaves(
  tx: Tx,
  leavesId: string,
  leaves: AsyncIterable<StoredLeaf>,
): Promise<Buffer> {
  const tree = new MerkleTree()
  let waiting: StoredLeaf[] = []
  let block = 0
  async function write(): Promise<void> {
    const hashes = waiting.map(({ leaf }) => leaf)
    const root = merkleRoot(hashes)
    tree.push(root)
    await tx('ledger_leaves').insert({
      leavesId,
      block,
      firstMember: waiting[0]?.userId,
      members: waiting.map(({ userId }) => userId),
      counts: waiting.map(({ count }) => count),
      leaves: Buffer.concat(hashes),
      root,
    })
    block += 1
    waiting = []
  }
  for await (const leaf of leaves) {
    waiting.push(leaf)
    if (waiting.length === BLOCK) await write()
  }
  if (waiting.length > 0) await write()
  return tree.root()
}

/** Stored leaves in ascending order of members, a block at a time. */
export async function* storedLeaves(tx: Tx, leavesId: string): AsyncGenerator<StoredLeaf> {
  for (let number = 0; ; number++) {
    const block: Block | undefined = await tx('ledger_leaves')
      .where({ leavesId, block: number })
      .first()
    if (!block) return
    for (const [i, leaf] of leavesOf(block).entries()) {
      yield { userId: block.members[i] ?? 0, count: block.counts[i] ?? 0, leaf }
    }
  }
}

type ProvedLeaf = StoredLeaf & { index: number; path: Buffer[] }

/** Reads the member's block and the roots of all blocks; undefined for a member without rows. */
export async function proveLeaf(
  tx: Tx,
  leavesId: string,
  userId: number,
): Promise<ProvedLeaf | undefined> {
  const block: Block | undefined = await tx('ledger_leaves')
    .where({ leavesId })
    .where('firstMember', '<=', userId)
    .orderBy('firstMember', 'desc')
    .first()
  const at = block?.members.indexOf(userId) ?? -1
  if (!block || at < 0) return undefined
  const leaves = leavesOf(block)
  const roots = await tx('ledger_leaves').where({ leavesId }).orderBy('block').pluck('root')
  return {
    userId,
    count: block.counts[at] ?? 0,
    leaf: leaves[at] ?? Buffer.alloc(0),
    index: block.block * BLOCK + at,
    path: [...merklePath(leaves, at), ...merklePath(roots, block.block)],
  }
}
