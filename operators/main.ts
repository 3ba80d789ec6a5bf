import path from 'node:path'
import { runCommand } from './commands/run-command.ts'

// The build writes this program under the name of each command: `dist/commands/ops.mjs` runs `ops`.
await runCommand(path.basename(process.argv[1] ?? '', '.mjs'))
