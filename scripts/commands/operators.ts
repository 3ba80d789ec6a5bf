import {
  type OperatorsCommand,
  runCommand,
  withConfiguredDatabase,
} from '#operators/commands/run-command'
import { readEnvironment } from '#runtime/process/environment'
import { withLocalDatabase } from '#scripts/embedded/local-database'

/** Without DATABASE_URL they use the embedded database, but never in production. */
const COMMANDS: Record<string, () => Promise<OperatorsCommand>> = {
  audit: async () => (await import('#operators/commands/audit')).audit,
  migrate: async () => (await import('#operators/commands/migrate')).migrate,
  ops: async () => (await import('#operators/commands/ops')).ops,
  console: async () => (await import('#operators/commands/console')).operatorsConsole,
}

// The command then finds its own arguments where the image has them.
const [name = ''] = process.argv.splice(2, 1)
const command = await COMMANDS[name]?.()
if (!command) throw new Error(`Operators have no command ${name}`)
const isProduction = readEnvironment().NODE_ENV === 'production'
await runCommand(command, isProduction ? withConfiguredDatabase : withLocalDatabase)
