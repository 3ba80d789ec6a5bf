import { migrate } from '#operators/commands/migrate'
import { runCommand } from '#operators/commands/run-command'

await runCommand(migrate)
