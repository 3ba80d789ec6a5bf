import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeEach, describe, expect, it } from 'vitest'
import { redisForRequests } from '#runtime/redis'
import { keyedHashes } from '#runtime/secrets/encryption'
import { newEmail } from '#scripts/testing/gateway/email-codes'
import { solvedProof } from '#scripts/testing/gateway/solved-proof'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { networkBucket, workFor } from './proof-of-work.ts'

const product = useProduct({ env: { TRUSTED_PROXIES: '127.0.0.1', OTP_PER_ADDRESS_HOUR: '300' } })

/** An IP address whose /24 network no other test uses. */
let network = 0
let visitor: Visitor
beforeEach(() => {
  network++
  visitor = from(`10.9.${network}.1`)
})

const from = (ip: string) => new Visitor(product, 0, { 'X-Forwarded-For': ip })

const ask = (email: string, proof?: string, who = visitor) =>
  who.call('POST /api/verify/send-otp', { body: { email, ...(proof && { proof }) } })

const mails = (email: string) => product.db('mails').where({ recipientKey: email })

/** Uses what is free, and returns the challenge for the next code. */
async function challengeFor(email: string, who = visitor): Promise<Challenge> {
  for (let n = 0; n < 10; n++) {
    const answer = await ask(newEmail(), undefined, who)
    if (answer.status === 428) break
    expect(answer.status).toBe(200)
  }
  const { status, body } = await ask(email, undefined, who)
  expect([status, body.code]).toEqual([428, 'proof_required'])
  if (!body.challenge) throw new Error('no challenge')
  return body.challenge
}

describe('proof of work', () => {
  it('ten codes an hour are free for an address, the next one costs a proof', async () => {
    const email = newEmail()
    const challenge = await challengeFor(email)
    expect(await mails(email)).toEqual([])
    expect((await ask(email, await solvedProof(challenge))).status).toBe(200)
    expect(await mails(email)).toHaveLength(1)
    expect((await ask(newEmail(), undefined, from('10.10.1.1'))).status).toBe(200)
  })

  it('a refused request counts for nothing', async () => {
    const email = newEmail()
    const { data } = (await challengeFor(email)).parameters
    for (let n = 0; n < 20; n++) expect((await ask(newEmail())).status).toBe(428)
    expect((await ask(email)).body.challenge?.parameters.data?.work).toBe(data?.work)
  })

  it('parallel requests are counted: no more than the free ones pass', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(newEmail())))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(14)
    expect(new Set(statuses)).toEqual(new Set([200, 428]))
  })

  it('a proof counts once, also for requests at the same time', async () => {
    const email = newEmail()
    const proof = await solvedProof(await challengeFor(email))
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(email, proof)))
    // A request that is read after the code was sent is refused by the minute.
    const statuses = answers.map(({ status }) => (status === 429 ? 428 : status))
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(428)])
    expect(await mails(email)).toHaveLength(1)
  })

  it('the minute between two codes refuses before a proof is asked for', async () => {
    const email = newEmail()
    expect((await ask(email)).status).toBe(200)
    await challengeFor(newEmail())
    const { status, body } = await ask(email)
    expect([status, body.code, body.challenge]).toEqual([429, 'otp_too_soon', undefined])
  })

  it('a proof is for one address', async () => {
    const proof = await solvedProof(await challengeFor(newEmail()))
    const email = newEmail()
    expect((await ask(email, proof)).status).toBe(428)
    expect(await mails(email)).toEqual([])
  })

  it('a proof that is too cheap for the place that sends it is refused', async () => {
    const email = newEmail()
    const busy = from(`10.9.${network}.2`)
    const cheap = await solvedProof(await challengeFor(email, busy))
    // As if other addresses of the network had requested 200 codes.
    const redis = redisForRequests(product.config.redisUrl)
    const key = `limit:otp-network:${networkBucket(`10.9.${network}.2`)}`
    await redis.incrby(`${product.config.redisPrefix}:${key}`, 200)
    redis.disconnect()
    expect((await ask(email, cheap, busy)).status).toBe(428)
    expect(await mails(email)).toEqual([])
  })

  type Forged = (challenge: Challenge, proof: string) => string | Promise<string>
  const forged: [string, Forged][] = [
    ['no JSON', () => 'proof'],
    ['null', () => 'null'],
    ['an empty object', () => '{}'],
    ['a solution alone', (_, proof) => JSON.stringify({ solution: JSON.parse(proof).solution })],
    ['another counter', (challenge) => withSolution(challenge, { counter: 1, derivedKey: '00' })],
    [
      'the prefix as the key',
      (challenge) =>
        withSolution(challenge, {
          counter: 1,
          derivedKey: challenge.parameters.keyPrefix.padEnd(64, '0'),
        }),
    ],
    ['a shorter prefix', (challenge) => solvedAfter(challenge, { keyPrefix: '00' })],
    ['less cost', (challenge) => solvedAfter(challenge, { cost: 1, keyPrefix: '00' })],
    ['a later expiry', (challenge) => solvedAfter(challenge, { expiresAt: 4_000_000_000 })],
    [
      'another algorithm',
      (challenge) => solvedAfter(challenge, { algorithm: 'PBKDF2/SHA-512', keyPrefix: '00' }),
    ],
    ['no signature', (challenge) => solvedProof({ parameters: challenge.parameters })],
    [
      'a signature of one’s own',
      (challenge) => solvedProof({ ...challenge, signature: '0'.repeat(64) }),
    ],
    ['prototypes', () => '{"challenge":{"__proto__":null,"parameters":{"data":[]}},"solution":{}}'],
  ]

  const withSolution = (challenge: Challenge, solution: object) =>
    JSON.stringify({ challenge, solution })

  async function solvedAfter({ parameters, signature }: Challenge, change: object) {
    const challenge = { parameters: { ...parameters, ...change }, signature } as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    return JSON.stringify({ challenge, solution })
  }

  it.each(forged)('a proof with %s is refused, and nothing is sent', async (_, forge) => {
    const email = newEmail()
    const challenge = await challengeFor(email)
    const proof = await forge(challenge, await solvedProof(challenge))
    const answer = await ask(email, proof)
    expect([answer.status, answer.body.code]).toEqual([428, 'proof_required'])
    expect(await mails(email)).toEqual([])
  })

  it('an expired proof is refused', async () => {
    const email = newEmail()
    const { parameters } = await challengeFor(email)
    const [secret] = keyedHashes(product.config.dataKey, 'proof of work', 'challenge')
    const old = await createChallenge({
      ...parameters,
      deriveKey,
      counter: 1,
      expiresAt: new Date(Date.now() - 2_000),
      hmacSignatureSecret: secret,
    })
    const fresh = await createChallenge({
      ...parameters,
      deriveKey,
      counter: 1,
      expiresAt: new Date(Date.now() + 60_000),
      hmacSignatureSecret: secret,
    })
    expect((await ask(email, await solvedProof(old))).status).toBe(428)
    expect(await mails(email)).toEqual([])
    expect((await ask(email, await solvedProof(fresh))).status).toBe(200)
  })

  it('challenges are limited for an address', async () => {
    const email = newEmail()
    await challengeFor(email)
    const redis = redisForRequests(product.config.redisUrl)
    const key = `${product.config.redisPrefix}:limit:otp-challenge-address:10.9.${network}.1`
    await redis.incrby(key, 1_200)
    redis.disconnect()
    expect((await ask(email)).status).toBe(429)
  })

  it('a proof of 2,001 characters is bad input', async () => {
    const email = newEmail()
    expect((await ask(email, 'x'.repeat(2_001))).status).toBe(400)
    expect(await mails(email)).toEqual([])
  })
})

describe('work for a code', () => {
  const work = (address: number, addresses = 0) => workFor({ address, network: addresses }, 300)

  it('nothing is asked for at rest, and it doubles with further codes', () => {
    expect([1, 10, 11, 15, 20, 30, 300].map((uses) => work(uses))).toEqual([
      0, 0, 16, 32, 64, 256, 2048,
    ])
    expect([100, 110, 150, 250].map((uses) => work(1, uses))).toEqual([0, 32, 512, 2048])
  })

  it('a network is a /24 of IPv4 and a /48 of IPv6', () => {
    expect(networkBucket('203.0.113.7')).toBe(networkBucket('203.0.113.250'))
    expect(networkBucket('203.0.113.7')).not.toBe(networkBucket('203.0.114.7'))
    expect(networkBucket('2001:db8:1:2::3')).toBe(networkBucket('2001:db8:1:ffff::9'))
    expect(networkBucket('2001:db8:1::')).not.toBe(networkBucket('2001:db8:2::'))
  })
})
