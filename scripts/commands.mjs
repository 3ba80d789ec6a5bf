// Plain Node, built-ins only: what `npm run <command>` stands for.
import fs from 'node:fs'
import path from 'node:path'

/** Where a package's command line program lies: npx and node_modules/.bin differ by platform. */
function bin(root, name, program = name) {
  const folder = path.join(root, 'node_modules', name)
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bin === 'string' ? bin : bin[program])
}

const typescript = (file) => () => ({ argv: ['--import', 'tsx', file] })

/** A service runs until it is told to stop, so it must also stop when whoever started it is gone. */
const service = (file) => () => ({
  argv: ['--import', './scripts/process/stop-with-parent.mjs', '--import', 'tsx', file],
  service: true,
})

const tool =
  (name, program, ...args) =>
  (root) => ({ argv: [bin(root, name, program), ...args] })

/** Each command is a list of steps, given the root; all steps run, and any failure fails it. */
export const COMMANDS = {
  start: [service('scripts/commands/start.ts')],
  gateway: [service('scripts/commands/gateway.ts')],
  workers: [service('scripts/commands/workers.ts')],
  migrate: [typescript('scripts/commands/migrate.ts')],
  ops: [typescript('scripts/commands/ops.ts')],
  torture: [typescript('scripts/commands/torture.ts')],
  audit: [typescript('scripts/commands/audit.ts')],
  build: [typescript('scripts/commands/build.ts')],
  'api-docs': [typescript('scripts/commands/api-docs.ts')],
  test: [
    // NODE_ENV=production would take `act` out of React.
    (root) => ({ ...tool('vitest', 'vitest', 'run')(root), env: { NODE_ENV: 'test' } }),
  ],
  check: [
    tool('typescript', 'tsc', '-p', '.'),
    tool('typescript', 'tsc', '-p', 'client'),
    tool('@biomejs/biome', 'biome', 'check', '.'),
  ],
  format: [tool('@biomejs/biome', 'biome', 'check', '--write', '.')],
}
