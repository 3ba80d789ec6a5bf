import { isDeepStrictEqual } from 'node:util'
import { audit } from '#db/ledger/audit'
import { auditSeals } from '#db/ledger/seals/audit-seals'
import { memberViews } from '#trials/simulation/product/views'
import type { World } from '#trials/simulation/world'
import { ledgerDifferences } from './ledger-rows.ts'

/** Compares what the members' screens show. */
export async function compareViews(world: World): Promise<void> {
  const { economy, observer, now } = world
  const views = await memberViews(observer, world.soundMembers)
  for (const history of world.sound) {
    for (const id of history.memberIds) {
      const [view, expected] = [views.get(id), economy.member(id).view(now)]
      if (isDeepStrictEqual(view, expected)) continue
      const [seen, right] = [JSON.stringify(view), JSON.stringify(expected)]
      history.fail(`member ${id} sees ${seen} instead of ${right}`)
    }
  }
}

/** Compares every ledger row. */
export async function compareLedgers(world: World): Promise<void> {
  const { economy, observer } = world
  const differences = await ledgerDifferences(observer, economy, world.soundMembers)
  for (const history of world.sound) {
    for (const id of history.memberIds) {
      const difference = differences.get(id)
      if (difference) history.fail(`ledger of member ${id}: ${difference}`)
    }
  }
}

/** Rules of the product's own audit that are broken, with one row each. */
export async function brokenRules({ observer }: World): Promise<string[]> {
  const { problems } = await audit(observer)
  const seals = Object.entries(await auditSeals(observer)).map(([rule, rows]) => ({ rule, rows }))
  return [...problems, ...seals]
    .filter(({ rows }) => rows.length > 0)
    .map(({ rule, rows }) => `${rule}: ${JSON.stringify(rows[0])}`)
}
