/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The native addon is loaded with the first password. */
const argon2 = () => import('@node-rs/argon2')

export async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password, OPTIONS)
}

let dummyHash: Promise<string> | undefined

/**
 * Whether the password matches the stored hash. An unknown account (no hash) takes the same time,
 * so the response time does not reveal which accounts exist.
 */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const { verify } = await argon2()
  const fits = await verify(stored ?? (await dummyHash), password, OPTIONS)
  return fits && stored !== undefined
}
