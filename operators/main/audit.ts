import { audit } from '#operators/commands/audit'
import { runCommand } from '#operators/commands/run-command'

await runCommand(audit)
