import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { CHALLENGE_LIFETIME_MS, type ProofOfWorkChallenge } from '#contract/forms/proof-of-work'

/**
 * Computes the solution of a challenge where it is called. Each derivation is awaited, so a page stays
 * responsive; null if none was found in time or it was aborted.
 */
export const computeProof = (challenge: ProofOfWorkChallenge, controller?: AbortController) =>
  solveChallenge({ challenge, controller, deriveKey, timeout: CHALLENGE_LIFETIME_MS })
