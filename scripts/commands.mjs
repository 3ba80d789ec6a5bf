// Plain Node, built-ins only: the programs behind `npm run <command>`.
import fs from 'node:fs'
import path from 'node:path'

/** Path of a package's command line program: npx and node_modules/.bin differ by platform. */
function bin(root, name, program = name) {
  const folder = path.join(root, 'node_modules', name)
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bin === 'string' ? bin : bin[program])
}

const typescript =
  (...argv) =>
  () => ({ argv: ['--import', 'tsx', ...argv] })

/** A service runs until a signal stops it, so it must also stop when its parent process dies. */
const service =
  (...argv) =>
  () => ({
    argv: [
      '--import',
      './runtime/process/lifetime/stop-with-parent.mjs',
      '--import',
      'tsx',
      ...argv,
    ],
    service: true,
  })

const tool =
  (name, program, ...args) =>
  (root) => ({ name: [program, ...args].join(' '), argv: [bin(root, name, program), ...args] })

/** Checks types again only where something changed: 2 s of CPU time instead of 14. */
const types = (project, name) =>
  tool(
    'typescript',
    'tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `.data/types-${name}.tsbuildinfo`,
  )

// NODE_ENV=production would remove `act` from React.
const vitest =
  (...args) =>
  (root) => ({ ...tool('vitest', 'vitest', 'run', ...args)(root), env: { NODE_ENV: 'test' } })

/** The steps of each command, which run at the same time; the command fails if any of them fails. */
export const COMMANDS = {
  start: [service('scripts/commands/services/start.ts')],
  dev: [service('scripts/commands/services/dev.ts')],
  seed: [typescript('scripts/commands/seed.ts')],
  gateway: [service('scripts/commands/services/role.ts', 'gateway')],
  workers: [service('scripts/commands/services/role.ts', 'workers')],
  migrate: [typescript('scripts/commands/operators.ts', 'migrate')],
  ops: [typescript('scripts/commands/operators.ts', 'ops')],
  console: [service('scripts/commands/operators.ts', 'console')],
  trial: [service('trials/run.ts')],
  bench: [typescript('trials/bench/bench.ts')],
  audit: [typescript('scripts/commands/operators.ts', 'audit')],
  init: [typescript('operators/commands/init.ts')],
  verify: [typescript('operators/commands/verify.ts')],
  build: [typescript('scripts/commands/build.ts')],
  release: [typescript('scripts/commands/release.ts')],
  test: [vitest()],
  'test:fast': [vitest('--project', 'unit', '--project', 'client')],
  check: [
    types('.', 'root'),
    types('client', 'client'),
    tool('@biomejs/biome', 'biome', 'check', '.'),
  ],
  house: [typescript('scripts/commands/house.ts')],
}
