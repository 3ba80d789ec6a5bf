import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { CHALLENGE_LIFETIME_MS, type ProofChallenge } from '#contract/forms/proof'

/**
 * Computes the solution of a challenge where it is called. Each derivation is awaited, so a page stays
 * responsive; null if none was found in time or it was aborted.
 */
export const computeProof = (challenge: ProofChallenge, controller?: AbortController) =>
  solveChallenge({ challenge, controller, deriveKey, timeout: CHALLENGE_LIFETIME_MS })
