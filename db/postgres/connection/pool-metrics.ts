import { Gauge, type Registry } from 'prom-client'
import type { Db } from '#db/postgres/statements/transaction'

/** The part of Knex' pool that is read here; Knex does not type it. */
type Pool = { numUsed(): number; numFree(): number; numPendingAcquires(): number }

/** Pools by registry: roles that share a process share the gauges. */
const watched = new WeakMap<Registry, Map<string, Db>>()

function openPools(pools: Map<string, Db>): [string, Pool][] {
  const all = [...pools].map(([name, db]): [string, Pool | undefined] => [name, db.client.pool])
  // A destroyed pool is undefined.
  return all.filter((entry): entry is [string, Pool] => entry[1] !== undefined)
}

/** Registers the use of a pool of Postgres connections under its name. */
export function watchPool(registry: Registry, name: string, db: Db): void {
  const known = watched.get(registry)
  if (known) return void known.set(name, db)
  const pools = new Map([[name, db]])
  watched.set(registry, pools)
  const registers = [registry]
  new Gauge({
    name: 'database_pool_connections',
    help: 'Open connections of a pool, by state: used or free',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, connections] of openPools(pools)) {
        this.set({ pool, state: 'used' }, connections.numUsed())
        this.set({ pool, state: 'free' }, connections.numFree())
      }
    },
  })
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Queries that wait for a connection of a pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, connections] of openPools(pools)) {
        this.set({ pool }, connections.numPendingAcquires())
      }
    },
  })
}
