import { createHash, createHmac } from 'node:crypto'
import { LEAF_PREFIX, NODE_PREFIX } from '#rules/seal/verify-receipt'

/** Merkle trees as RFC 9162 defines them, with SHA-256. */

const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const LEAF = Uint8Array.of(LEAF_PREFIX)
const NODE = Uint8Array.of(NODE_PREFIX)

const node = (left: Uint8Array, right: Uint8Array) => sha256(NODE, left, right)

/** The salt of a member's leaf: without it nobody can guess the rows behind the leaf of a neighbour. */
export function memberSalt(daySalt: Uint8Array, memberId: number): Buffer {
  return createHmac('sha256', daySalt).update(String(memberId)).digest()
}

/** @param content SHA-256 of the member's rows, joined by line feeds */
export function leafHash(salt: Uint8Array, content: Uint8Array): Buffer {
  return sha256(LEAF, salt, content)
}

/** The leaf of these rows, in the order of posting. */
export const leafOfRows = (salt: Uint8Array, rows: string[]) =>
  leafHash(salt, sha256(Buffer.from(rows.join('\n'))))

/** Adds leaves, or whole subtrees of one size, from left to right; memory grows with the height. */
export class MerkleTree {
  readonly #left: { size: number; hash: Buffer }[] = []

  push(hash: Buffer): void {
    let added = { size: 1, hash }
    for (let last = this.#left.at(-1); last?.size === added.size; last = this.#left.at(-1)) {
      added = { size: 2 * added.size, hash: node(last.hash, added.hash) }
      this.#left.pop()
    }
    this.#left.push(added)
  }

  root(): Buffer {
    const [right, ...others] = this.#left.toReversed()
    if (!right) return sha256()
    return others.reduce((hash, left) => node(left.hash, hash), right.hash)
  }
}

export function merkleRoot(hashes: Iterable<Buffer>): Buffer {
  const tree = new MerkleTree()
  for (const hash of hashes) tree.push(hash)
  return tree.root()
}

/** Audit path: sibling hashes from the leaf to the root. */
export function merklePath(hashes: Buffer[], index: number): Buffer[] {
  if (hashes.length <= 1) return []
  // The largest power of two below the number of leaves.
  const split = 2 ** Math.floor(Math.log2(hashes.length - 1))
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)]
  return index < split
    ? [...merklePath(left, index), merkleRoot(right)]
    : [...merklePath(right, index - split), merkleRoot(left)]
}
