import { buildOnce, viteBuild } from './build-once.ts'

const SOURCES = [
  'db',
  'gateway',
  'workers',
  'scripts/build/bundle',
  'operators',
  'runtime',
  'vite.commands.config.ts',
  'package.json',
  'package-lock.json',
]

/** Folder of the bundled operators' commands. */
export const COMMANDS_DIR = 'dist/commands'

/** Bundles `audit`, `migrate`, `ops` and `console` for the image. */
export function buildCommands(): Promise<boolean> {
  return buildOnce(COMMANDS_DIR, SOURCES, (fresh) =>
    viteBuild('commands', 'vite.commands.config.ts', fresh),
  )
}
