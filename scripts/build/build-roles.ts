import { buildOnce, viteBuild } from './build-once.ts'

const SOURCES = [
  'db',
  'gateway',
  'runtime',
  'workers',
  'scripts/build/bundle',
  'vite.roles.config.ts',
  'package.json',
  'package-lock.json',
]

/** Folder of `gateway.mjs` and `workers.mjs`, each with its packages. */
export const ROLES_DIR = 'dist/roles'

/** Bundles both roles, which then start without compiling or resolving packages. */
export function buildRoles(): Promise<boolean> {
  return buildOnce(ROLES_DIR, SOURCES, (fresh) =>
    viteBuild('server', 'vite.roles.config.ts', fresh),
  )
}
