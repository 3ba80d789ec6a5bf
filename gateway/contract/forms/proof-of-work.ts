import { MINUTE_MS } from '#rules/constants'

/** Longest proof: a challenge and its solution as JSON have some 700 characters. */
export const PROOF_MAX = 2_000

/** A challenge of altcha-lib, signed by the gateway. */
export type ProofOfWorkChallenge = {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    cost: number
    keyLength: number
    keyPrefix: string
    expiresAt?: number
    data?: Record<string, string | number | boolean | null>
  }
  signature?: string
}

/** For how long a challenge can be answered. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS
