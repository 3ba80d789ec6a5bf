import type { ServedProduct } from '#scripts/testing/gateway/product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { brokenRules } from './checks.ts'
import { Member, Tally } from './member.ts'
import { Random } from './random.ts'

export type Load = {
  visitors: Visitor[]
  tally: Tally
  /** Ends the load, waits for the last responses and returns every violated rule. */
  stop(): Promise<string[]>
}

/** Registers the members and starts their commands; the same seed sends the same commands. */
export async function startLoad(
  product: ServedProduct,
  members: number,
  seed: number,
): Promise<Load> {
  const random = new Random(seed)
  const tally = new Tally()
  const gateways = product.urls.length
  const visitors = Array.from({ length: members }, (_, n) => new Visitor(product, n % gateways))
  for (const visitor of visitors) await visitor.register()
  let isRunning = true
  const players = visitors.map((visitor) => {
    return new Member(visitor, visitors, new Random(random.between(1, 1e9)), tally)
  })
  const finished = Promise.all(players.map((player) => player.play(() => isRunning)))
  return {
    visitors,
    tally,
    async stop() {
      isRunning = false
      await finished
      return [...new Set(tally.problems), ...(await brokenRules(product.db, tally.claims))]
    },
  }
}
