import { setTimeout as sleep } from 'node:timers/promises'
import { readActivity } from '#db/mining/activity'
import { productNow } from '#db/postgres/connection/product-clock'
import { type MergeStep, mergeStep } from '#db/postgres/months/merge-days'
import type { Db } from '#db/postgres/statements/transaction'
import { advance } from '#db/testing/clock'
import { DAY_MS } from '#rules/constants'
import type { Trial } from '#trials/kit/run-trial'

/** After the end of the history; every ten days of it are due then. */
const AGE_MS = 20 * DAY_MS
const PAUSE_MS = 10

/** Reads a member's activity again and again until `done`; returns how long the slowest read took, ms. */
async function slowestRead(db: Db, done: Promise<unknown>): Promise<number> {
  let slowest = 0
  let isDone = false
  const end = () => {
    isDone = true
  }
  // Whoever waits for the merge gets its error.
  done.then(end, end)
  const at = await productNow(db)
  while (!isDone) {
    const start = performance.now()
    await readActivity(db, 1, 20, { at, seq: Number.MAX_SAFE_INTEGER })
    slowest = Math.max(slowest, performance.now() - start)
    await sleep(PAUSE_MS)
  }
  return slowest
}

/** Takes steps until nothing is left; returns the longest one of each kind, ms. */
async function mergeAll(db: Db): Promise<Map<MergeStep, number>> {
  const longest = new Map<MergeStep, number>()
  for (;;) {
    const start = performance.now()
    const step = await mergeStep(db)
    if (step === undefined) return longest
    longest.set(step, Math.max(longest.get(step) ?? 0, performance.now() - start))
  }
}

/** Merges old days of the ledger while a member's activity is read. */
export async function mergeFilled({ report }: Trial, db: Db): Promise<void> {
  await advance(db, AGE_MS)
  const start = performance.now()
  const merged = mergeAll(db)
  const slowest = await slowestRead(db, merged)
  report.fact('merged, s', ((performance.now() - start) / 1_000).toFixed(1))
  for (const [step, ms] of await merged) report.fact(`longest step ${step}, ms`, ms.toFixed(0))
  report.fact('slowest read of an activity meanwhile, ms', slowest.toFixed(0))
}
