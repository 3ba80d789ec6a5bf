import { creditLagSeconds } from '#db/mining/sweep/credit-lag'
import type { Db } from '#db/postgres/statements/transaction'
import { runCommand } from '#trials/kit/run-command'
import { checkAudit, waitUntilCredited } from '#trials/torture/checks'

/** Waits until the sweeps have caught up; returns every violated rule. */
export async function caughtUpProblems(db: Db): Promise<string[]> {
  const problems = new Set<string>()
  await waitUntilCredited(db, problems)
  await checkAudit(db, problems)
  return [...problems]
}

/** The last line of `npm run audit`; throws if a rule is violated. */
export async function auditLine(databaseUrl: string): Promise<string> {
  const output = await runCommand('audit', [], { DATABASE_URL: databaseUrl })
  return output.split('\n').join(', ').replace(/\s+/g, ' ')
}

/** How late credits are before the sweeps run, in minutes of product time. */
export async function creditLagMinutes(db: Db): Promise<string> {
  return `${((await creditLagSeconds(db)) / 60).toFixed(0)} min of product time`
}
