import { ops } from '#operators/commands/ops'
import { runCommand } from '#operators/commands/run-command'

await runCommand(ops)
