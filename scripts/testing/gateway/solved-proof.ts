import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { ProofOfWorkChallenge } from '#contract/forms/proof-of-work'

/** The proof of a challenge, as a browser computes it for POST /api/verify/send-otp. */
export async function solvedProof(challenge: ProofOfWorkChallenge): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey })
  return JSON.stringify({ challenge, solution })
}
