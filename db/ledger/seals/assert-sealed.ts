import type { Period } from '#db/ledger/partitions'
import type { Tx } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { sealOfDay } from './chain.ts'
import { checkDay } from './check-day.ts'
import { dayText } from './day-leaves.ts'

/**
 * @throws an error if the rows of a sealed day differ from its seal by anything but late credits
 */
export async function assertSealed(tx: Tx, day: number): Promise<void> {
  const seal = await sealOfDay(tx, dayText(day))
  if (!seal) return
  const [problem] = await checkDay(tx, day, seal)
  if (!problem) return
  const whose = problem.userId === null ? '' : ` of member ${problem.userId}`
  throw new Error(`the ledger differs from its seal on ${seal.day}: ${problem.problem}${whose}`)
}

/** The same for each day of a partition. */
export async function assertSealedDays(tx: Tx, { from, to }: Period): Promise<void> {
  for (let day = Date.parse(from); day < Date.parse(to); day += DAY_MS) await assertSealed(tx, day)
}
