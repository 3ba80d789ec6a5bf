import { readSealKeys } from '#db/ledger/seals/seal-chain'
import type { Db } from '#db/postgres/statements/transaction'
import { SECOND_MS } from '#rules/constants'
import type { SealKey } from '#rules/seal/seal'

/** A new key is published this late at most, real ms. */
const MAX_AGE_MS = 5 * SECOND_MS

/** Reads the public keys of the seals for everybody who asks, at most once in `MAX_AGE_MS`. */
export function sealKeysReader(db: Db): () => Promise<SealKey[]> {
  let reading: Promise<SealKey[]> | undefined
  let readAt = 0
  return () => {
    if (reading && Date.now() - readAt < MAX_AGE_MS) return reading
    readAt = Date.now()
    const now = readSealKeys(db)
    reading = now
    // A failure is not kept.
    now.catch(() => {
      if (reading === now) reading = undefined
    })
    return now
  }
}
