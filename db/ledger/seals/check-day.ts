import { PartitionDiffers, type Period } from '#db/ledger/partitions'
import type { Tx } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { creditCount } from '#rules/money/ledger-id'
import { parseSealedRow } from '#rules/seal/receipt'
import { type MemberLeaf, memberLeaves, rowsOfMember } from './member-leaves.ts'
import { leafHash, leafOfRows, MerkleTree, memberSalt } from './merkle-tree.ts'
import { type StoredLeaf, storedLeaves } from './proof-index.ts'
import { type StoredSeal, sealOfDay } from './seal-chain.ts'

/** How the ledger differs from the seal of a day. */
export type SealProblem = { day: string; userId: number | null; problem: string }

/** Problems of one day that are collected; more say nothing new. */
const MAX_PROBLEMS = 10

/** Automatic credits may arrive late. Posting locks the wallet, so late rows are last in the order of posting. */
function areLateCredits(rows: string[], sealed: StoredLeaf, salt: Buffer): boolean {
  const before = leafOfRows(salt, rows.slice(0, sealed.count))
  if (sealed.count > 0 && !before.equals(sealed.leaf)) return false
  return rows.slice(sealed.count).every((row) => creditCount(parseSealedRow(row)?.id ?? '') === 1)
}

/** Pairs the ledger's rows with the sealed ones, member by member: both lists ascend. */
async function* pairs(
  tx: Tx,
  day: number,
  seal: StoredSeal,
): AsyncGenerator<{ userId: number; now?: MemberLeaf; sealed?: StoredLeaf }> {
  const stored = storedLeaves(tx, seal.leavesId)
  let next = await stored.next()
  for await (const now of memberLeaves(tx, day)) {
    while (!next.done && next.value.userId < now.userId) {
      yield { userId: next.value.userId, sealed: next.value }
      next = await stored.next()
    }
    const sealed = !next.done && next.value.userId === now.userId ? next.value : undefined
    yield { userId: now.userId, now, sealed }
    if (sealed) next = await stored.next()
  }
  for (; !next.done; next = await stored.next()) {
    yield { userId: next.value.userId, sealed: next.value }
  }
}

/** How the rows of a day (its start in ms) differ from its seal; automatic credits after the seal are no problem. */
export async function checkDay(tx: Tx, day: number, seal: StoredSeal): Promise<SealProblem[]> {
  const problems: SealProblem[] = []
  const differing: { userId: number; sealed: StoredLeaf }[] = []
  const report = (userId: number | null, problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ day: seal.day, userId, problem })
  }
  const tree = new MerkleTree()
  for await (const { userId, now, sealed } of pairs(tx, day, seal)) {
    if (sealed) tree.push(sealed.leaf)
    if (!now) report(userId, 'the sealed rows are missing')
    else if (!sealed || !leafHash(memberSalt(seal.salt, userId), now.content).equals(sealed.leaf)) {
      const none = { userId, count: 0, leaf: Buffer.alloc(0) }
      differing.push({ userId, sealed: sealed ?? none })
    }
  }
  if (tree.root().toString('hex') !== seal.root)
    report(null, 'the stored leaves do not fit the root')
  for (const { userId, sealed } of differing) {
    const rows = await rowsOfMember(tx, day, userId)
    if (!areLateCredits(rows, sealed, memberSalt(seal.salt, userId)))
      report(userId, 'the rows differ from the sealed ones')
  }
  return problems
}

async function difference(tx: Tx, day: number): Promise<string | undefined> {
  const seal = await sealOfDay(tx, dayText(day))
  if (!seal) return undefined
  const [problem] = await checkDay(tx, day, seal)
  if (!problem) return undefined
  const whose = problem.userId === null ? '' : ` of member ${problem.userId}`
  return `the ledger differs from its seal on ${seal.day}: ${problem.problem}${whose}`
}

/** @throws an error if the rows of a sealed day differ from its seal by anything but late credits */
export async function assertSealed(tx: Tx, day: number): Promise<void> {
  const found = await difference(tx, day)
  if (found) throw new Error(found)
}

/** The same for each day of a partition. @throws {PartitionDiffers} */
export async function assertSealedDays(tx: Tx, { name, from, to }: Period): Promise<void> {
  for (let day = Date.parse(from); day < Date.parse(to); day += DAY_MS) {
    const found = await difference(tx, day)
    if (found) throw new PartitionDiffers(name, 'seals', found)
  }
}
