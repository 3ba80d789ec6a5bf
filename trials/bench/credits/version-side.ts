import path from 'node:path'
import { INTERVAL_MS } from '#rules/constants'

/** The sweep of a checkout, on a database that the checkout has made. */
export type VersionSide = {
  /** Makes every session due. */
  makeDue(): Promise<void>
  /** Sweeps all of them; returns the number of credits. */
  sweep(connections: number): Promise<number>
  close(): Promise<void>
}

/** Loads the modules of a checkout, whose imports by alias stay in that checkout. */
export async function versionSide(
  checkout: string,
  serverUrl: string,
  database: string,
  members: number,
): Promise<VersionSide> {
  const load = (module: string) => import(path.join(checkout, module))
  const databases: typeof import('./databases.ts') = await load('trials/bench/credits/databases.ts')
  const sweeps: typeof import('./sweep.ts') = await load('trials/bench/credits/sweep.ts')
  const clock: typeof import('#db/testing/clock') = await load('db/testing/clock.ts')
  const audits: typeof import('#trials/bench/harness/clean-audit') = await load(
    'trials/bench/harness/clean-audit.ts',
  )
  const { db, close } = await databases.populatedDatabase(serverUrl, database, members)
  return {
    async makeDue() {
      await clock.advance(db, INTERVAL_MS)
      await db.raw('checkpoint')
    },
    sweep: (connections) => sweeps.sweepAll(db, connections),
    async close() {
      await db.raw('analyze')
      await audits.assertCleanAudit(db)
      await close()
    },
  }
}
