/** What a sealed UTC day of the ledger publishes (decision 26). Hashes are hex texts. */
export type Seal = {
  /** Position in the chain, from 1 without a gap. */
  number: number
  /** The sealed UTC day, `2026-11-22`. */
  day: string
  reason: SealReason
  /** Ledger rows and members of the day. */
  rows: number
  members: number
  /** Root of the Merkle tree over the members' rows. */
  root: string
  /** `hash` of the seal before; zeros for the first. */
  previous: string
  /** Real time, ISO 8601. */
  sealedAt: string
  /** SHA-256 of `sealText`. */
  hash: string
  /** Ed25519 over the UTF-8 bytes of `sealText`, base64; null without a key. */
  signature: string | null
  /** The public key of the signature: 32 bytes in base64. */
  publicKey: string | null
}

/**
 * Why a day was sealed: for the first time, because credits arrived late, or because its credits were
 * rolled up. The last seal of a day counts.
 */
export type SealReason = 'day' | 'late rows' | 'roll-up'

/** A public key that signed seals, and those that it signed in a row. */
export type SealKey = {
  /** 32 bytes in base64. */
  publicKey: string
  /** Number of the first and of the last seal; the key in use has no last one. */
  from: number
  to: number | null
  /** When these were sealed: real time, ISO 8601. */
  since: string
  until: string | null
}

/** Whether a seal names one of the keys, and one that was in use for it. */
export const isSignedByOneOf = (keys: readonly SealKey[], { number, publicKey }: Seal) =>
  keys.some(
    (key) =>
      key.publicKey === publicKey && key.from <= number && (key.to === null || number <= key.to),
  )

export const FIRST_PREVIOUS = '0'.repeat(64)

/** The text that a seal hashes and signs. */
export function sealText(seal: Omit<Seal, 'hash' | 'signature' | 'publicKey'>): string {
  const { number, day, reason, rows, members, root, previous, sealedAt } = seal
  return ['tesp-seal-1', number, day, reason, rows, members, root, previous, sealedAt].join('\n')
}
