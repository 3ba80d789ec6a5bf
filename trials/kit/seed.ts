import type { Db } from '#db/postgres/statements/transaction'
import { hashPassword } from '#gateway/auth/passwords'
import { ALL_BUCKETS } from '#rules/buckets'
import { insertMembers } from '#scripts/testing/db/members'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { creditedIntervals, insertDueSessions } from '#scripts/testing/workers/uncredited-sessions'

/** Inserts sessions with two due intervals. */
export async function dueSessions(db: Db, count = 200) {
  const members = await insertDueSessions(db, ALL_BUCKETS, { count, inMs: 0, intervals: 2 })
  const credits = () => creditedIntervals(db, members)
  return {
    uncredited: async () => (await credits()).filter((credited) => credited < 2).length,
    fewestCredits: async () => Math.min(...(await credits())),
  }
}

/** Members inserted by SQL, each signed in through the API. */
export async function signedInMembers(product: ServedProduct, count: number): Promise<Visitor[]> {
  const { db } = product
  const ids = await insertMembers(db, count)
  const password = await hashPassword(PASSWORD, product.config)
  await db('users').whereIn('id', ids).update({ password })
  const names: string[] = await db('users').whereIn('id', ids).orderBy('id').pluck('username')
  const visitors = names.map((_, n) => new Visitor(product, n % product.urls.length))
  for (const [n, visitor] of visitors.entries()) {
    const { status } = await visitor.login(names[n], PASSWORD)
    if (status !== 200) throw new Error(`sign-in failed with status ${status}`)
    // The keys of a member's commands begin with the id.
    visitor.user = (await visitor.call('GET /api/user')).body
  }
  return visitors
}
