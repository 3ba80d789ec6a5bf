import { parseSealedRow, type Receipt } from './receipt.ts'
import { type Seal, sealText } from './seal.ts'

/** First byte of what a leaf and an inner node hash, so that neither can pass for the other (RFC 9162). */
export const LEAF_PREFIX = 0
export const NODE_PREFIX = 1

const encode = (text: string) => new TextEncoder().encode(text)

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new Error('a hash is not hexadecimal')
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/**
 * The root that a leaf and its inclusion path lead to (RFC 9162, 2.1.3.2).
 * @throws an error if the path does not fit a tree of that size
 */
async function rootOf(leaf: Uint8Array, receipt: Receipt): Promise<string> {
  let index = receipt.index
  let last = receipt.seal.members - 1
  if (!Number.isSafeInteger(index) || index < 0 || index > last) throw new Error('no such leaf')
  let hash = leaf
  const node = (left: Uint8Array, right: Uint8Array) =>
    sha256(Uint8Array.of(NODE_PREFIX), left, right)
  for (const sibling of receipt.path.map(fromHex)) {
    if (last === 0) throw new Error('the path is too long')
    if (index % 2 === 1 || index === last) {
      hash = await node(sibling, hash)
      while (index % 2 === 0 && index !== 0) {
        index = Math.floor(index / 2)
        last = Math.floor(last / 2)
      }
    } else hash = await node(hash, sibling)
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  if (last !== 0) throw new Error('the path is too short')
  return toHex(hash)
}

async function leafOf({ rows, salt }: Receipt): Promise<Uint8Array> {
  const content = await sha256(encode(rows.join('\n')))
  return sha256(Uint8Array.of(LEAF_PREFIX), fromHex(salt), content)
}

/** Whether the hash is that of the seal's fields. */
export async function hashFits(seal: Seal): Promise<boolean> {
  return toHex(await sha256(encode(sealText(seal)))) === seal.hash
}

/** Whether the seal is signed by the key that it names. */
export async function signatureFits(seal: Seal): Promise<boolean> {
  if (!seal.signature || !seal.publicKey) return false
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(seal.publicKey),
    { name: 'Ed25519' },
    false,
    ['verify'],
  )
  return crypto.subtle.verify('Ed25519', key, fromBase64(seal.signature), encode(sealText(seal)))
}

/** What was checked of a receipt. */
export type ReceiptChecks = {
  /** The row is one of the rows, and of the sealed day. */
  row: boolean
  /** The rows lead to the root of the seal. */
  root: boolean
  /** The hash of the seal is that of its fields. */
  hash: boolean
  /** The seal is signed, by the trusted key if there is one. */
  signature: boolean
  /** The seal is the published one; null without a source to compare with. */
  published: boolean | null
}

/**
 * Checks a receipt without the server that issued it. A receipt that is not one fails every check.
 * @param trusted the hash of the seal of the same number, and the public key in base64, from a source that
 *   is trusted, such as a mirror
 */
export async function verifyReceipt(
  receipt: Receipt,
  trusted: { hash?: string; publicKey?: string } = {},
): Promise<ReceiptChecks> {
  const { seal, rows, row } = receipt
  const holds = (check: () => boolean | Promise<boolean>) =>
    Promise.resolve()
      .then(check)
      .catch(() => false)
  const isTrustedKey = () => trusted.publicKey === undefined || trusted.publicKey === seal.publicKey
  return {
    row: await holds(
      () => rows.includes(row) && parseSealedRow(row)?.createdAt.startsWith(seal.day) === true,
    ),
    root: await holds(async () => (await rootOf(await leafOf(receipt), receipt)) === seal.root),
    hash: await holds(() => hashFits(seal)),
    signature: await holds(async () => isTrustedKey() && (await signatureFits(seal))),
    published: trusted.hash === undefined ? null : trusted.hash === seal.hash,
  }
}
