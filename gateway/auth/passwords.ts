import { hash, verify } from '@node-rs/argon2'

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS)
}

let dummyHash: Promise<string> | undefined

/**
 * Whether the password matches the stored hash. An unknown account (no hash) takes the same time,
 * so the response time does not reveal which accounts exist.
 */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const fits = await verify(stored ?? (await dummyHash), password, OPTIONS)
  return fits && stored !== undefined
}
