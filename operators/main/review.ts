import { review } from '#operators/commands/review'
import { runCommand } from '#operators/commands/run-command'

await runCommand(review)
