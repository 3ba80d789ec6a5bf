import { runCommand, withConfiguredDatabase } from '#operators/commands/run-command'
import { readEnvironment } from '#runtime/process/environment'
import { withLocalDatabase } from '#scripts/embedded/local-database'

// The command then finds its own arguments where the image has them.
const [name = ''] = process.argv.splice(2, 1)
// Without DATABASE_URL it uses the embedded database, but never in production.
const isProduction = readEnvironment().NODE_ENV === 'production'
await runCommand(name, isProduction ? withConfiguredDatabase : withLocalDatabase)
