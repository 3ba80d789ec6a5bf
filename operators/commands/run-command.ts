import { RuleError } from '#rules/rule-error'
import { SETTINGS } from '#runtime/config/settings'
import { explain } from '#runtime/process/explain-error'

/** Runs `work` on the configured database, or in development on the embedded one. */
type WithDatabase = <T>(
  databaseUrl: string | undefined,
  work: (databaseUrl: string) => Promise<T>,
) => Promise<T>

/** Resolves with the exit code; undefined is 0. */
export type OperatorsCommand = (withDatabase: WithDatabase) => Promise<number | undefined>

const COMMANDS: Record<string, () => Promise<OperatorsCommand>> = {
  audit: async () => (await import('./audit.ts')).audit,
  console: async () => (await import('./console.ts')).operatorsConsole,
  migrate: async () => (await import('./migrate.ts')).migrate,
  ops: async () => (await import('./ops.ts')).ops,
}

/** The image and production have no embedded server. @throws {RuleError} `bad_input` without DATABASE_URL */
export const withConfiguredDatabase: WithDatabase = async (databaseUrl, work) => {
  if (databaseUrl) return work(databaseUrl)
  throw new RuleError('bad_input', `DATABASE_URL is missing: ${SETTINGS.DATABASE_URL.hint}`)
}

/** Ends the process; a failure is explained in one line if operators can act. */
export async function runCommand(
  name: string,
  withDatabase: WithDatabase = withConfiguredDatabase,
): Promise<never> {
  try {
    const command = await COMMANDS[name]?.()
    if (!command) throw new Error(`Operators have no command ${name}`)
    process.exit(await command(withDatabase))
  } catch (error) {
    console.error(explain(error))
    process.exit(1)
  }
}
