import { buildOnce, viteBuild } from './build-once.ts'

const SOURCES = [
  'db',
  'gateway',
  'runtime',
  'workers',
  'scripts/build',
  'package.json',
  'package-lock.json',
]

/** @returns whether the bundles were not up to date */
function bundleForNode(name: string, outDir: string, sources: string[] = []) {
  const config = `vite.${name}.config.ts`
  return buildOnce(outDir, [...SOURCES, ...sources, config], (fresh) =>
    viteBuild(name, config, fresh),
  )
}

/** `gateway.mjs` and `workers.mjs`, each with its packages. */
export const ROLES_DIR = 'dist/roles'

/** Bundles both roles, which then start without compiling or resolving packages. */
export const buildRoles = () => bundleForNode('roles', ROLES_DIR)

export const COMMANDS_DIR = 'dist/commands'

/** `audit`, `migrate`, `ops` and `console` for the image. */
export const buildCommands = () => bundleForNode('commands', COMMANDS_DIR, ['operators'])
