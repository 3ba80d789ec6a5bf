import type { Config } from '#runtime/config/config'

/** The setting that decides what a hash costs; absent, it costs what production needs. */
type Cost = Pick<Config, 'fastPasswords'>

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes. */
const STRONG = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** A fraction of a millisecond: tests hash thousands of passwords. Production cannot choose it. */
const FAST = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/** The native addon is loaded with the first password. */
const argon2 = () => import('@node-rs/argon2')

export async function hashPassword(password: string, cost?: Cost): Promise<string> {
  return (await argon2()).hash(password, cost?.fastPasswords ? FAST : STRONG)
}

const dummyHashes: { strong?: Promise<string>; fast?: Promise<string> } = {}

/** A hash that no password fits, at the cost of the stored ones. */
function dummyHash(cost?: Cost): Promise<string> {
  const kind = cost?.fastPasswords ? 'fast' : 'strong'
  dummyHashes[kind] ??= hashPassword('nobody has this password', cost)
  return dummyHashes[kind]
}

/**
 * Whether the password matches the stored hash. An unknown account (no hash) takes the same time,
 * so the response time does not reveal which accounts exist.
 */
export async function passwordFits(
  stored: string | undefined,
  password: string,
  cost?: Cost,
): Promise<boolean> {
  const { verify } = await argon2()
  // The parameters are part of the stored hash.
  const fits = await verify(stored ?? (await dummyHash(cost)), password)
  return fits && stored !== undefined
}
