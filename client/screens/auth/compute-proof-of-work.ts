import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { PROOF_CHALLENGE_MS } from '#rules/constants'

/** Null if no solution was found in time, it was aborted or the browser cannot compute it. */
export const computeProof = (challenge: Challenge, controller?: AbortController) =>
  solveChallenge({ challenge, controller, deriveKey, timeout: PROOF_CHALLENGE_MS }).catch(
    () => null,
  )
