import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { CHALLENGE_LIFETIME_MS, type ProofOfWorkChallenge } from '#contract/forms/proof-of-work'

/** Null if no solution was found in time, it was aborted or the browser cannot compute it. */
export const computeProof = (challenge: ProofOfWorkChallenge, controller?: AbortController) =>
  solveChallenge({ challenge, controller, deriveKey, timeout: CHALLENGE_LIFETIME_MS }).catch(
    () => null,
  )
