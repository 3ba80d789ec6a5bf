import { RuleError } from '#rules/rule-error'
import { SETTINGS } from '#runtime/config/settings'
import { explain } from '#runtime/process/explain-error'

/** Runs `work` on a database: the configured one, or in development the embedded one. */
type WithDatabase = <T>(
  databaseUrl: string | undefined,
  work: (databaseUrl: string) => Promise<T>,
) => Promise<T>

/** A command of operators. It resolves with the exit code of the process; without one, 0. */
export type OperatorsCommand = (withDatabase: WithDatabase) => Promise<number | undefined>

/**
 * For the image and for production, which have no embedded servers.
 * @throws {RuleError} `bad_input` if DATABASE_URL is not set
 */
export const withConfiguredDatabase: WithDatabase = async (databaseUrl, work) => {
  if (databaseUrl) return work(databaseUrl)
  throw new RuleError('bad_input', `DATABASE_URL is missing: ${SETTINGS.DATABASE_URL.hint}`)
}

/** Runs a command and ends the process; a failure is explained in one line where operators can act. */
export async function runCommand(
  command: OperatorsCommand,
  withDatabase: WithDatabase = withConfiguredDatabase,
): Promise<never> {
  try {
    process.exit(await command(withDatabase))
  } catch (error) {
    console.error(explain(error))
    process.exit(1)
  }
}
