import { buildOnce, viteBuild } from './build-once.ts'

/** Sources of every program of Node. */
const SOURCES = [
  'db',
  'gateway',
  'runtime',
  'workers',
  'scripts/build',
  'package.json',
  'package-lock.json',
]

/** Runs the Vite configuration of that name, unless the bundles are up to date. @returns whether it did */
function bundleForNode(name: string, outDir: string, sources: string[] = []) {
  const config = `vite.${name}.config.ts`
  return buildOnce(outDir, [...SOURCES, ...sources, config], (fresh) =>
    viteBuild(name, config, fresh),
  )
}

/** Folder of `gateway.mjs` and `workers.mjs`, each with its packages. */
export const ROLES_DIR = 'dist/roles'

/** Bundles both roles, which then start without compiling or resolving packages. */
export const buildRoles = () => bundleForNode('roles', ROLES_DIR)

/** Folder of the bundled operators' commands. */
export const COMMANDS_DIR = 'dist/commands'

/** Bundles `audit`, `migrate`, `ops` and `console` for the image. */
export const buildCommands = () => bundleForNode('commands', COMMANDS_DIR, ['operators'])
