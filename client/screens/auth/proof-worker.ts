import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { CHALLENGE_LIFETIME_MS } from '#contract/forms/proof'

self.onmessage = ({ data: challenge }) =>
  solveChallenge({ challenge, deriveKey, timeout: CHALLENGE_LIFETIME_MS }).then(
    self.postMessage,
    () => self.postMessage(null),
  )
