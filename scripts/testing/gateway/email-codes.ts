import type { Product } from './product.ts'

let emails = 0

/** An e-mail that no other visitor of this test file has. */
export function newEmail(): string {
  emails += 1
  return `person${emails}@test.example`
}

/** Moves the codes of an e-mail that many minutes into the past. */
export async function ageCodes(product: Product, email: string, minutes: number): Promise<void> {
  await product.db.raw(
    `update email_codes set "createdAt" = "createdAt" - ? * interval '1 minute',
       "expiresAt" = "expiresAt" - ? * interval '1 minute',
       "verifiedAt" = "verifiedAt" - ? * interval '1 minute' where "emailKey" = ?`,
    [minutes, minutes, minutes, email],
  )
}
