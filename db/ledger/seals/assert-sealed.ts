import type { Tx } from '#db/postgres/statements/transaction'
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
