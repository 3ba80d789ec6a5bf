import { insertMembers } from '#db/testing/members'
import { hashPassword } from '#gateway/auth/passwords/passwords'
import type { Product } from '#gateway/testing/product'
import { PASSWORD, Visitor } from '#gateway/testing/visitor'

/** Members inserted by SQL, each signed in through the API. */
export async function signedInMembers(product: Product, count: number): Promise<Visitor[]> {
  const { db } = product
  const ids = await insertMembers(db, count)
  const password = await hashPassword(PASSWORD, product.config)
  await db('users').whereIn('id', ids).update({ password })
  const names: string[] = await db('users').whereIn('id', ids).orderBy('id').pluck('username')
  const visitors = names.map((_, n) => new Visitor(product, n % product.urls.length))
  for (const [n, visitor] of visitors.entries()) {
    const { status } = await visitor.login(names[n], PASSWORD)
    if (status !== 200) throw new Error(`sign-in failed with status ${status}`)
  }
  return visitors
}
