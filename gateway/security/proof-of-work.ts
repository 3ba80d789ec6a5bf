import { hash } from 'node:crypto'
import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { ipBucket, type RateLimits } from '#gateway/services/rate-limits'
import { PROOF_CHALLENGE_MS } from '#rules/constants'
import { emailKey, normalizeEmail } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'
import type { Config } from '#runtime/config/config'
import { keyedHashes } from '#runtime/secrets/encryption'

const ALGORITHM = 'PBKDF2/SHA-256'
/** Iterations of one derivation: about 1.3 ms of a server's core, which is all that a check costs. */
const COST = 5_000
const CHEAPEST = 16
/** Derivations of the dearest proof in the mean: seconds of a desktop's core, 30 s of a phone's of 2018. */
const DEAREST = 2_048

/** Uses in the last hour, this one included. */
type Uses = { address: number; network: number }

/** The proof of work is missing, used up, too cheap, or wrong. */
export class ProofRequired extends RuleError {
  constructor(readonly challenge: Challenge) {
    super('proof_required', 'Many codes were asked for from your network. Please try again')
  }
}

/** The /24 or /48 network of an IP address, which one operator of machines can fill. */
export function networkBucket(ip: string): string {
  return ipBucket(ip).split(/[.:]/).slice(0, 3).join('.')
}

/** None at rest, then doubled for each sixtieth of the hourly limit from an address, or thirtieth from a network. */
export function workFor({ address, network }: Uses, perAddressHour: number): number {
  const doublings =
    overRest(address, Math.max(10, perAddressHour / 30), Math.max(5, perAddressHour / 60)) +
    overRest(network, Math.max(50, perAddressHour / 3), Math.max(10, perAddressHour / 30))
  return doublings <= 0 ? 0 : Math.min(DEAREST, CHEAPEST * 2 ** Math.floor(doublings))
}

const overRest = (uses: number, rest: number, step: number) => Math.max(0, (uses - rest) / step)

/** Under each data key; a challenge is made with the current one. */
const secretsOf = (config: Config) => keyedHashes(config.dataKey, 'proof of work', 'challenge')

/** A proof is for one e-mail address. */
const purposeOf = (email: string) =>
  hash('sha256', emailKey(normalizeEmail(email)), 'hex').slice(0, 32)

function newChallenge(config: Config, email: string, work: number): Promise<Challenge> {
  const [hmacSignatureSecret] = secretsOf(config)
  return createChallenge({
    algorithm: ALGORITHM,
    cost: COST,
    // Of any number up to twice the work: a bot that started in the middle would miss as many as it saves.
    counter: randomInt(2 * work, 1),
    data: { for: purposeOf(email), work },
    deriveKey,
    expiresAt: new Date(Date.now() + PROOF_CHALLENGE_MS),
    hmacSignatureSecret,
  })
}

async function provenChallenge(
  config: Config,
  { email, proof }: { email: string; proof: string },
  work: number,
): Promise<Challenge | undefined> {
  try {
    const { challenge, solution } = JSON.parse(proof)
    const { data, algorithm, cost } = challenge.parameters
    // Others may have asked in the meantime: half of what it costs now is enough.
    const isFitting = data.for === purposeOf(email) && data.work >= work / 2
    // Unsigned values must not decide what a check costs.
    if (!isFitting || algorithm !== ALGORITHM || cost !== COST) return undefined
    for (const hmacSignatureSecret of secretsOf(config)) {
      const { verified } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret,
      })
      if (verified) return challenge
    }
  } catch {
    // Not a proof.
  }
  return undefined
}

/** A proof counts once; throws `ProofRequired` with the challenge to solve, and `too_many_requests`. */
export async function assertWork(
  { config, limits }: { config: Config; limits: RateLimits },
  request: { email: string; proof?: string | undefined },
  uses: Uses & { bucket: string },
): Promise<void> {
  const work = workFor(uses, config.otpPerAddressHour)
  if (work === 0) return
  // A check and a challenge cost the gateway a derivation each.
  await limits.use('otp-challenge-address', uses.bucket)
  const { email, proof } = request
  const proven = proof && (await provenChallenge(config, { email, proof }, work))
  if (proven && (await limits.tryUse('otp-proof', proven.signature ?? ''))) return
  throw new ProofRequired(await newChallenge(config, email, work))
}
