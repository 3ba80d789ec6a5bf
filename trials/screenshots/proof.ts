import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { Receipt } from '#rules/seal/receipt'
import { FIRST_PREVIOUS, sealText } from '#rules/seal/seal'
import { LEAF_PREFIX } from '#rules/seal/verify-receipt'

const ROW = 'credit:7:3|5|mining_reward|TESP|0.00333333|0.01000000|2026-11-21 05:00:00|91'
const SALT = '11'.repeat(32)

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A valid proof of a row, of a day on which only one member posted one. */
export function aProof(): Receipt {
  const root = sha256(Buffer.of(LEAF_PREFIX), Buffer.from(SALT, 'hex'), sha256(ROW))
  const unsigned = {
    number: 1,
    day: '2026-11-21',
    reason: 'day' as const,
    rows: 1,
    members: 1,
    root: root.toString('hex'),
    previous: FIRST_PREVIOUS,
    sealedAt: '2026-11-22T00:01:00.000Z',
  }
  const text = sealText(unsigned)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'jwk' }).x ?? ''
  return {
    format: 'tesp-receipt-1',
    row: ROW,
    rows: [ROW],
    salt: SALT,
    index: 0,
    path: [],
    seal: {
      ...unsigned,
      hash: sha256(text).toString('hex'),
      signature: sign(null, Buffer.from(text), privateKey).toString('base64'),
      publicKey: Buffer.from(raw, 'base64url').toString('base64'),
    },
  }
}

/** The same proof for another amount, which does not hold. */
export function aForgedProof(): Receipt {
  const row = ROW.replace('0.00333333', '9.00333333')
  return { ...aProof(), row, rows: [row] }
}
