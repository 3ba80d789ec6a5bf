import { hash, verify } from '@node-rs/argon2'

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS)
}

let dummy: Promise<string> | undefined

/** Whether the password fits; for an unknown account it takes the same time to say no. */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword('nobody has this password')
  const fits = await verify(stored ?? (await dummy), password, OPTIONS)
  return fits && stored !== undefined
}
