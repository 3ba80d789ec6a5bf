import { parseSealedRow, type Receipt } from './receipt.ts'
import { isSignedByOneOf, type Seal, type SealKey, sealText } from './seal.ts'

/** First byte of what a leaf and an inner node hash, so that neither can pass for the other (RFC 9162). */
export const LEAF_PREFIX = 0
export const NODE_PREFIX = 1

const encode = (text: string) => new TextEncoder().encode(text)

/** @throws an error for a text that is not a SHA-256 hash: one of another length could be split elsewhere */
function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('a hash is not one of 32 bytes')
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The root of a leaf and its path (RFC 9162, 2.1.3.2). @throws an error if the path does not fit the tree */
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

/** Whether the seal is signed by the key that it names, which anybody can do: `isSignedByOneOf` tells whose key it is. */
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

/** What was checked of a receipt; null where there was nothing to check it with. */
export type ReceiptChecks = {
  /** The row is one of the rows, and of the sealed day. */
  row: boolean
  /** The rows lead to the root of the seal; null where no hash can be computed. */
  root: boolean | null
  hash: boolean | null
  /** The signature fits the key that the seal names; null where Ed25519 is not supported. */
  signature: boolean | null
  /** This key is a trusted one, which was in use for the seal. */
  key: boolean | null
  published: boolean | null
  /** The seal has the hash that somebody entered. */
  entered: boolean | null
}

/** What a receipt is compared with. None of it may come from the receipt. */
export type Trusted = {
  keys?: readonly SealKey[] | undefined
  /** Published seals, of the receipt's day at least. */
  seals?: readonly Seal[] | undefined
  /** Hash of the seal, from a mirror. */
  hash?: string | undefined
}

/** Browsers have no cryptography on pages loaded over plain HTTP. */
const hasCryptography = () => crypto.subtle !== undefined

/** False if the check throws, because what it checks is malformed. */
const holds = (check: () => boolean | Promise<boolean>) =>
  Promise.resolve()
    .then(check)
    .catch(() => false)

/** As `holds`, for a check that computes hashes; null if this browser cannot. */
const hashHolds = (check: () => Promise<boolean>) => (hasCryptography() ? holds(check) : null)

/** As `signatureFits`; null if this browser cannot tell. */
async function signatureHolds(seal: Seal): Promise<boolean | null> {
  if (!hasCryptography()) return null
  try {
    return await signatureFits(seal)
  } catch (error) {
    return error instanceof Error && error.name === 'NotSupportedError' ? null : false
  }
}

/** Checks a receipt without the server that issued it. A receipt that is not one fails every check. */
export async function verifyReceipt(
  receipt: Receipt,
  { keys, seals, hash }: Trusted = {},
): Promise<ReceiptChecks> {
  const { seal, rows, row } = receipt
  const published = seals?.find(({ number }) => number === seal.number)
  return {
    row: await holds(
      () => rows.includes(row) && parseSealedRow(row)?.createdAt.slice(0, 10) === seal.day,
    ),
    root: await hashHolds(async () => (await rootOf(await leafOf(receipt), receipt)) === seal.root),
    hash: await hashHolds(() => hashFits(seal)),
    signature: await signatureHolds(seal),
    key: keys ? isSignedByOneOf(keys, seal) : null,
    published: seals ? published?.hash === seal.hash : null,
    entered: hash === undefined ? null : hash === seal.hash,
  }
}

/**
 * What the checks of a receipt mean together:
 * - `valid`: all hold, and the seal is the published one
 * - `signed`: all hold, and nothing was there to compare the seal with
 * - `unchecked`: the signature could not be checked, or there was no key to trust
 * - `unknownKey`: signed, but by none of the trusted keys
 * - `invalid`: anything else
 */
export type Verdict = 'valid' | 'signed' | 'unchecked' | 'unknownKey' | 'invalid'

export function verdictOf({ key, ...checks }: ReceiptChecks): Verdict {
  if (key === false && checks.signature) return 'unknownKey'
  if (key === false || Object.values(checks).includes(false)) return 'invalid'
  if (key === null || checks.signature === null) return 'unchecked'
  return checks.published || checks.entered ? 'valid' : 'signed'
}
