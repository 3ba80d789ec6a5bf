import DataLoader from 'dataloader'
import { engineOf, type MiningCommand } from '#db/engine/engine'
import type { Db } from '#db/postgres/statements/transaction'
import type { MiningStatus } from '#rules/snapshots'

/** `load` answers when the batch has been carried out that the item became part of. */
export type BatchLoader<Item, Result> = { load(item: Item): Promise<Result> }

/** A batch that takes longer no longer counts as running: its connection may be lost. */
const HANGING_MS = 500

/**
 * Carries out items in batches, of which `atOnce` run at a time. Items that arrive while as many run wait
 * for the next batch and share it, so the cost of an item falls as load rises, and other work finds a free
 * connection. Nothing is cached.
 * @param carryOut results in the order of the items; an `Error` rejects that item alone
 */
export function batchLoader<Item, Result>(
  carryOut: (items: readonly Item[]) => Promise<(Result | Error)[]>,
  { maxBatch, atOnce }: { maxBatch: number; atOnce: number },
): BatchLoader<Item, Result> {
  const waiting: (() => void)[] = []
  let running = 0
  const dispatchNext = () => {
    while (running < atOnce) {
      const dispatch = waiting.shift()
      if (!dispatch) return
      running++
      dispatch()
    }
  }
  return new DataLoader<Item, Result>(
    async (items) => {
      let isCounted = true
      const release = () => {
        if (isCounted) running--
        isCounted = false
        setImmediate(dispatchNext)
      }
      const timer = setTimeout(release, HANGING_MS)
      try {
        return await carryOut(items)
      } finally {
        clearTimeout(timer)
        release()
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

/** A start or stop, and whether its client still waits for the answer. */
type WaitingCommand = MiningCommand & { isConnected(): boolean }

/** Starts and stops that arrive together; undefined for one that has to run alone (`Engine.startAndStop`). */
export type MiningBatches = BatchLoader<WaitingCommand, MiningStatus | undefined>

/** Commands of a batch. */
const MAX_COMMANDS = 64
/** At a time: two are smaller, and half as many commands share a commit. */
const BATCHES = 1

/** Each batch is one transaction, with at most one command of a member. */
export function miningBatches(db: Db): MiningBatches {
  return batchLoader(
    async (commands) => {
      const waiting = commands.filter((command) => command.isConnected())
      const statuses = new Map<WaitingCommand, MiningStatus | undefined>()
      // Alone a command is as fast in a transaction of its own, which waits for the locks.
      if (waiting.length > 1) {
        const carriedOut = await (await engineOf(db)).startAndStop(db, waiting)
        for (const [at, command] of waiting.entries()) statuses.set(command, carriedOut[at])
      }
      return commands.map((command) => statuses.get(command))
    },
    { maxBatch: MAX_COMMANDS, atOnce: BATCHES },
  )
}
