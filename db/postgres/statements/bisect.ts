import { isMisrouted, sqlState } from './transaction.ts'

/**
 * SQLSTATE classes that blame rows: cardinality, data exception, constraint violation, WITH CHECK, raised by a
 * trigger. Everything else (connection, resources, deadlock) would fail for any rows.
 */
const ROW_ERRORS = /^(21|22|23|44|P0)/

/** True if other rows might pass the same statement. */
export function isRowError(error: unknown): boolean {
  // A row that waits for its partition to be attached is not at fault.
  return !isMisrouted(error) && ROW_ERRORS.test(sqlState(error) ?? '')
}

/** An item that fails even if it is processed as the only one, and why. */
export type Offender<T> = { item: T; error: unknown }

/**
 * Runs `work` on all items; if it fails because of a row, halves the items until each offender is isolated.
 * Takes about 2 × log2(items) extra runs for one offender.
 * @throws any error that is not the fault of a row
 */
export async function bisect<T, R>(
  items: T[],
  work: (items: T[]) => Promise<R>,
): Promise<{ results: R[]; offenders: Offender<T>[] }> {
  const results: R[] = []
  const offenders: Offender<T>[] = []
  async function run(part: T[]): Promise<void> {
    const [first] = part
    if (first === undefined) return
    try {
      results.push(await work(part))
    } catch (error) {
      if (!isRowError(error)) throw error
      if (part.length === 1) {
        offenders.push({ item: first, error })
        return
      }
      const middle = part.length >> 1
      await run(part.slice(0, middle))
      await run(part.slice(middle))
    }
  }
  await run(items)
  return { results, offenders }
}
