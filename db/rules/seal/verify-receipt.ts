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

/** The checks of a receipt by name, in their order; true for those that hold. */
export type ReceiptChecks = {
  'the row is one of the rows of the day': boolean
  'the rows lead to the root of the seal': boolean
  'the hash of the seal is that of its fields': boolean
  'the seal is signed': boolean
  'the seal is the one that was published': boolean
}

/**
 * Checks a receipt without the server that issued it.
 * @param published the seal of the same number from a source that is trusted, such as a mirror; and
 *   the public key that is trusted, in base64
 */
export async function verifyReceipt(
  receipt: Receipt,
  published: { seal?: Seal; publicKey?: string },
): Promise<ReceiptChecks> {
  const { seal, rows, row } = receipt
  const leads = async () => (await rootOf(await leafOf(receipt), receipt)) === seal.root
  const signed = async () =>
    (published.publicKey === undefined || published.publicKey === seal.publicKey) &&
    (await signatureFits(seal))
  const holds = (check: () => Promise<boolean>) => check().catch(() => false)
  return {
    'the row is one of the rows of the day':
      rows.includes(row) && parseSealedRow(row)?.createdAt.startsWith(seal.day) === true,
    'the rows lead to the root of the seal': await holds(leads),
    'the hash of the seal is that of its fields': await holds(() => hashFits(seal)),
    'the seal is signed': await holds(signed),
    'the seal is the one that was published':
      published.seal?.number === seal.number && published.seal.hash === seal.hash,
  }
}
