import DataLoader from 'dataloader'
import type { Logger } from 'pino'
import { engineOf, type MiningCommand } from '#db/engine/engine'
import type { Db } from '#db/postgres/statements/transaction'
import type { MiningStatus } from '#rules/snapshots'

type BatchOptions = {
  maxBatch: number
  atOnce: number
  /** A batch that takes longer, ms, lets one more run: its connection may be lost. At most `MAX_HANGING` do so. */
  hangingMs?: number
}
const MAX_HANGING = 2

/**
 * Items that arrive while `atOnce` batches run share the next one: the cost of an item falls as load rises, and
 * other work finds a connection. `carryOut` returns results in order; an `Error` rejects that item only.
 */
export function batchLoader<Item, Result>(
  carryOut: (items: readonly Item[]) => Promise<(Result | Error)[]>,
  { maxBatch, atOnce, hangingMs }: BatchOptions,
): Pick<DataLoader<Item, Result>, 'load'> {
  const waiting: (() => void)[] = []
  let running = 0
  let hanging = 0
  const dispatchNext = () => {
    while (running - Math.min(hanging, MAX_HANGING) < atOnce) {
      const dispatch = waiting.shift()
      if (!dispatch) return
      running++
      dispatch()
    }
  }
  return new DataLoader<Item, Result>(
    async (items) => {
      let isHanging = false
      const hang = () => {
        isHanging = true
        hanging++
        dispatchNext()
      }
      const timer = hangingMs === undefined ? undefined : setTimeout(hang, hangingMs)
      try {
        return await carryOut(items)
      } finally {
        clearTimeout(timer)
        if (isHanging) hanging--
        running--
        dispatchNext()
      }
    },
    {
      cache: false,
      maxBatchSize: maxBatch,
      batchScheduleFn(dispatch) {
        waiting.push(dispatch)
        setImmediate(dispatchNext)
      },
    },
  )
}

/** With two batches at once, half as many commands would share a commit. */
const MINING_BATCHES: BatchOptions = { maxBatch: 64, atOnce: 1, hangingMs: 500 }

/**
 * Each batch is one transaction, with at most one command of a member. Undefined for a command that has to run
 * alone (`Engine.startAndStop`).
 */
export function miningBatches(db: Db, log: Pick<Logger, 'warn'>) {
  return batchLoader<MiningCommand, MiningStatus | undefined>(async (commands) => {
    // A single command is as fast in its own transaction, which waits for the locks.
    if (commands.length === 1) return [undefined]
    return (await engineOf(db)).startAndStop(db, [...commands], log)
  }, MINING_BATCHES)
}
