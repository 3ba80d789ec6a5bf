import type { Product } from '#gateway/testing/product'
import { Visitor } from '#gateway/testing/visitor'
import { auditOnce, compareClaims, settle } from './torture/books.ts'
import { newTally, Player, type Tally } from './torture/player.ts'
import { Random } from './torture/random.ts'

/** Members who press at random through all gateways until they are told to stop. */
export type Load = {
  visitors: Visitor[]
  tally: Tally
  /** Ends the presses, waits for the last answers, and says what of the books is not right. */
  stop(): Promise<string[]>
}

/** Registers that many members and lets them press; the same seed presses the same. */
export async function startLoad(product: Product, members: number, seed: number): Promise<Load> {
  const random = new Random(seed)
  const tally = newTally()
  const gateways = product.urls.length
  const visitors = Array.from({ length: members }, (_, n) => new Visitor(product, n % gateways))
  for (const visitor of visitors) await visitor.register()
  let goesOn = true
  const players = visitors.map((visitor) => {
    return new Player(visitor, visitors, new Random(random.between(1, 1e9)), tally)
  })
  const played = Promise.all(players.map((player) => player.play(() => goesOn)))
  return {
    ...{ visitors, tally },
    async stop() {
      goesOn = false
      await played
      const problems = new Set(tally.faults)
      await settle(product.db, problems)
      await auditOnce(product.db, problems)
      await compareClaims(product.db, tally, problems)
      return [...problems]
    },
  }
}
