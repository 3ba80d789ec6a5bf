import { operatorsConsole } from '#operators/commands/console'
import { runCommand } from '#operators/commands/run-command'

await runCommand(operatorsConsole)
